import type { RunSpan } from '../../contract/run-span.ts'
import type { DrawingOfRun } from './drawing-of-run.ts'

/** The nodes that call other flows: what happens there belongs to the node, since its own nodes are of another drawing. */
const CALLS_FLOWS = 'executeFlowAgentflow'

/**
 * The node of the drawing to which each span belongs. What a tool or a called flow did has no node of its own: it is within that of
 * its caller.
 */
export function spanPlaces(spans: readonly RunSpan[], { nodes }: DrawingOfRun) {
  const names = new Map(nodes.map(({ id, name }) => [id, name]))
  const byId = new Map(spans.map((span) => [span.id, span]))
  /** The outermost call within which each span is. */
  const callers = new Map<number, RunSpan | undefined>()
  const callerOf = (span: RunSpan): RunSpan | undefined => {
    if (callers.has(span.id)) return callers.get(span.id)
    const parent = span.parent === undefined ? undefined : byId.get(span.parent)
    const caller = parent && (callerOf(parent) ?? (isCall(parent) ? parent : undefined))
    callers.set(span.id, caller)
    return caller
  }
  const isCall = ({ kind, nodeId }: RunSpan) =>
    kind === 'tool' || (kind === 'node' && names.get(nodeId ?? '') === CALLS_FLOWS)
  return {
    /** Whether the span is of the drawing itself. */
    isOwn: (span: RunSpan): boolean => callerOf(span) === undefined,
    nodeOf(span: RunSpan): string | undefined {
      const { nodeId } = callerOf(span) ?? span
      return nodeId !== undefined && names.has(nodeId) ? nodeId : undefined
    },
  }
}
