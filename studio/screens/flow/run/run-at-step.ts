import type { Run, RunLine, RunNode } from '../../../server/runs.ts'

/** What the drawing shows of a node: `now` for the one at the chosen step. */
export type ShownNode = RunNode & { look: RunNode['state'] | 'now' | 'later' }

export type RunAtStep = {
  nodes: ReadonlyMap<string, ShownNode>
  /** By `lineKey`. */
  lines: ReadonlyMap<string, RunLine>
}

export const lineKey = (from: string, to: string): string => `${from}\n${to}`

/**
 * What a drawing shows of a run up to one of its steps.
 *
 * @param step the id of the step; the whole run unless given
 */
export function runAtStep(run: Run, step: number | undefined): RunAtStep {
  const reached = new Set<string>()
  let now: string | undefined
  for (const { id, nodeId } of run.spans) {
    if (nodeId === undefined || (step !== undefined && id > step)) continue
    reached.add(nodeId)
    if (id === step) now = nodeId
  }
  const isReached = (id: string) => step === undefined || reached.has(id)
  const look = (node: RunNode): ShownNode['look'] => {
    if (step === undefined) return node.state
    if (node.id === now) return 'now'
    return isReached(node.id) ? node.state : 'later'
  }
  return {
    nodes: new Map(run.nodes.map((node) => [node.id, { ...node, look: look(node) }])),
    lines: new Map(
      run.lines.filter(({ from }) => isReached(from)).map((line) => [lineKey(line.from, line.to), line]),
    ),
  }
}

/** The step before or after one, of those that the run has; the whole run is after the last and before the first. */
export function stepTowards(run: Run, step: number | undefined, by: 1 | -1): number | undefined {
  const ids = run.spans.map(({ id }) => id)
  if (step === undefined) return by === 1 ? ids[0] : ids.at(-1)
  return ids[ids.indexOf(step) + by]
}
