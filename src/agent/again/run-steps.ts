import type { RunSpan } from '../../contract/run-span.ts'

type Step = Pick<RunSpan, 'id' | 'parent' | 'kind' | 'name' | 'status' | 'cut'>

/**
 * The steps of a record that a repeated run has too, in their order. What a tool did is not among them: the recorded answer of the tool
 * stands for it.
 */
export function stepsToRepeat<S extends Step>(spans: readonly S[]): S[] {
  const within = new Set<number>()
  return spans.filter(({ id, parent, kind }) => {
    const isWithin = parent !== undefined && within.has(parent)
    if (isWithin || kind === 'tool') within.add(id)
    return !isWithin
  })
}

/**
 * Why a run cannot be done again from each of its steps, by the ids of the steps; those without a reason can.
 *
 * @param omitted how many later spans were not kept
 */
export function whyNotFrom(spans: readonly Step[], omitted = 0): Map<number, string> {
  const reasons = new Map<number, string>()
  const steps = new Set(stepsToRepeat(spans).map(({ id }) => id))
  let before: string | undefined
  for (const span of spans) {
    const { id, kind, name } = span
    const own = reasonOfStep(span, steps.has(id))
    const reason = before ?? own
    if (reason !== undefined) reasons.set(id, reason)
    if (kind === 'wait') before ??= 'a person decided before it, which is not done again'
    if (!steps.has(id)) continue
    if (span.cut && (kind === 'model' || kind === 'tool'))
      before ??= `what step ${id} (${name}) gave was too long to be kept whole`
    if (kind === 'model' && span.status !== 'FINISHED') before ??= `step ${id} (${name}) did not end well`
  }
  if (spans.length === 0 && omitted === 0) reasons.set(0, 'the run has no steps')
  return reasons
}

function reasonOfStep({ kind }: Step, isStep: boolean): string | undefined {
  if (kind === 'wait') return 'a person decided here'
  if (kind === 'stage') return 'an upsert or a query is started again as a whole'
  if (!isStep) return 'it happened within a tool: choose the step of the tool'
  return undefined
}
