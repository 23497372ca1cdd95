import type { RunAgain } from '../../contract/run-again.ts'
import type { RunSpan } from '../../contract/run-span.ts'
import { SluiceError } from '../../kit/errors.ts'
import { canonicalJson, type Json } from '../../kit/json.ts'
import { stepsToRepeat } from './run-steps.ts'

/** What the record says to a step of the run that repeats it. */
export type RecordedStep = {
  /** What the step did then: it is not done again. */
  answer?: RunSpan
  /** What the step gets in place of its own input. */
  input?: Json
}

/** A step that begins: its kind, its name, and for a tool its input. */
export type BegunStep = Pick<RunSpan, 'kind' | 'name' | 'input' | 'nodeId'>

/**
 * The record of a run for the run that repeats it. Steps are compared in their order: where the new run does something else than the
 * record before the chosen step, the drawing has changed, and it ends.
 */
export class RecordedRun {
  readonly #again: RunAgain
  readonly #steps: readonly RunSpan[]
  #at = 0
  /** Recorded answers of tools that were not used yet, by name and input. */
  readonly #unused = new Map<string, RunSpan[]>()
  /** Recorded answers of nodes that call servers, by their ids in the drawing. */
  readonly #ofNodes = new Map<string, RunSpan[]>()

  constructor(again: RunAgain) {
    this.#again = again
    this.#steps = stepsToRepeat(again.spans)
    for (const span of again.spans) {
      if (span.kind === 'tool') add(this.#unused, keyOf(span), span)
      if (span.kind === 'node' && span.output !== undefined) add(this.#ofNodes, span.nodeId ?? '', span)
    }
  }

  /**
   * Notes that a step begins.
   *
   * @throws SluiceError `run_differs` for one that the record does not have at this place, `run_not_repeatable` for one whose answer was
   *   cut or is missing
   */
  begin(step: BegunStep): RecordedStep {
    const { from, input, tools } = this.#again
    const recorded = this.#steps[this.#at++]
    const isBefore = recorded !== undefined && recorded.id < from
    if (recorded && recorded.id <= from && !isSame(recorded, step, isBefore))
      throw new SluiceError('run_differs', {
        step: recorded.id,
        was: `${recorded.kind} ${recorded.name}`,
        now: `${step.kind} ${step.name}`,
      })
    if (isBefore) return this.#before(recorded)
    if (recorded?.id === from && input !== undefined)
      return step.kind === 'tool' ? this.#ofTool({ ...step, input }, tools, { input }) : { input }
    if (step.kind === 'tool') return this.#ofTool(step, tools)
    return {}
  }

  /**
   * What a node that calls a server gave then; undefined where it is to call it again.
   *
   * @throws SluiceError `run_not_repeatable`
   */
  ofNode(nodeId: string): RunSpan | undefined {
    const { tools, from } = this.#again
    const found = this.#ofNodes.get(nodeId)?.shift()
    if (found && (found.id < from || (tools !== 'live' && found.id !== from))) return whole(found)
    if (found || tools !== 'recorded') return undefined
    throw notRecorded(nodeId)
  }

  #before(recorded: RunSpan): RecordedStep {
    if (recorded.kind === 'model') return { answer: whole(recorded) }
    if (recorded.kind !== 'tool') return {}
    const unused = this.#unused.get(keyOf(recorded))
    unused?.splice(unused.indexOf(recorded), 1)
    return { answer: whole(recorded) }
  }

  #ofTool(step: BegunStep, tools: RunAgain['tools'], more: RecordedStep = {}): RecordedStep {
    if (tools === 'live') return more
    const found = this.#unused.get(keyOf(step))?.shift()
    if (found) return { ...more, answer: whole(found) }
    if (tools === 'missing') return more
    throw notRecorded(step.name)
  }
}

const keyOf = ({ name, input }: BegunStep): string => `${name} ${canonicalJson(input ?? null)}`

function add<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

/** Names of models and tools stay as they are; a search has another text where the question is another one. */
function isSame(recorded: RunSpan, step: BegunStep, withInput: boolean): boolean {
  if (recorded.kind !== step.kind || recorded.name !== step.name) return false
  if (step.kind === 'node') return recorded.nodeId === step.nodeId
  return step.kind !== 'tool' || !withInput || keyOf(recorded) === keyOf(step)
}

/** @throws SluiceError `run_not_repeatable` for a step of which not all is kept */
function whole(span: RunSpan): RunSpan {
  if (span.cut)
    throw new SluiceError('run_not_repeatable', {
      reason: `what step ${span.id} (${span.name}) gave was too long to be kept whole`,
    })
  if (span.kind === 'model' && span.status !== 'FINISHED')
    throw new SluiceError('run_not_repeatable', {
      reason: `step ${span.id} (${span.name}) did not end well, so it gave nothing that could be used again`,
    })
  return span
}

const notRecorded = (name: string) =>
  new SluiceError('run_not_repeatable', {
    reason: `${name} has no recorded answer to this input`,
    hint: 'Allow tools to be called: tools "missing" where the record has no answer, "live" always',
  })
