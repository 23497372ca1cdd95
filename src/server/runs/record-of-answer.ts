import { whyNotFrom } from '../../agent/again/run-steps.ts'
import { RUN_FORMAT, type RunAnswer, type RunHead, type RunNodeAnswer } from '../../api/run.ts'
import type { ExecutionSummary, StoredExecution } from '../../contract/flow-execution-store.ts'
import type { RunSpan } from '../../contract/run-span.ts'
import { isoTime } from '../management.ts'
import { titleOf } from './title-of.ts'
import type { FoundDrawing } from './drawing-of-run.ts'
import { linesOfAnswer } from './lines-of-answer.ts'
import { spanPlaces } from './span-places.ts'

/** The head of the record of an answer. */
export const headOfAnswer = ({
  id,
  state,
  question,
  createdAt,
  updatedAt,
}: Omit<ExecutionSummary, 'steps'>): RunHead => ({
  ...{ id, kind: 'answer', state },
  title: titleOf(question) || 'An answer',
  startedAt: isoTime(createdAt),
  ms: state === 'INPROGRESS' ? null : updatedAt - createdAt,
})

/** The record of an answer, from its execution and its drawing. */
export function recordOfAnswer(
  execution: StoredExecution,
  { drawing, name, state: drawingState }: FoundDrawing,
): RunAnswer {
  const { flowId, createdAt, failure, chatId, nodes, omittedSpans, state } = execution
  const ended = state !== 'INPROGRESS' && state
  // What a lost server was doing is in its last state: nothing of it goes on.
  const spans = execution.spans.map((span) =>
    ended && span.status === 'INPROGRESS' ? { ...span, status: ended } : span,
  )
  const reasons = whyNotFrom(spans)
  return {
    format: RUN_FORMAT,
    ...headOfAnswer(execution),
    flow: { id: flowId, name },
    drawing: drawingState,
    ...(failure ? { failure } : {}),
    chatId,
    nodes: nodesOf(spans, execution, drawing),
    lines: linesOfAnswer(drawing, spans, nodes),
    spans: spans.map(({ start, ...span }) => {
      const notAgain = reasons.get(span.id)
      return {
        ...span,
        offset: Math.max(0, start - createdAt),
        ...(notAgain === undefined ? {} : { notAgain }),
      }
    }),
    omittedSpans,
  }
}

function nodesOf(
  spans: readonly RunSpan[],
  { nodes: executed, state, failure }: StoredExecution,
  drawing: FoundDrawing['drawing'],
): RunNodeAnswer[] {
  const { isOwn, nodeOf } = spanPlaces(spans, drawing)
  return drawing.nodes.flatMap(({ id, label, name }) => {
    const own = spans.filter((span) => nodeOf(span) === id)
    const records = executed.filter(({ nodeId }) => nodeId === id)
    if (own.length === 0 && records.length === 0 && failure?.nodeId !== id) return []
    const whole = drawing.isAgentFlow ? own.filter(({ kind }) => kind === 'node') : own.filter(isOwn)
    const last = whole.at(-1)?.status ?? records.at(-1)?.status
    const worked = whole.reduce((sum, { ms = 0 }) => sum + ms, 0)
    const waits = records.reduce((sum, { timeMetadata }) => sum + (timeMetadata?.delta ?? 0), 0)
    return [
      {
        ...{ id, label, name },
        state: failure?.nodeId === id && state === 'ERROR' ? state : (last ?? state),
        ms: worked > 0 ? worked : waits,
        counts: countsOf(own),
      },
    ]
  })
}

function countsOf(spans: readonly RunSpan[]): Record<string, number> {
  const sum = (of: (span: RunSpan) => number) => spans.reduce((all, span) => all + of(span), 0)
  const counts = {
    turns: sum(({ kind }) => Number(kind === 'model')),
    tokens: sum(({ inputTokens = 0, outputTokens = 0 }) => inputTokens + outputTokens),
    calls: sum(({ kind }) => Number(kind === 'tool')),
    hits: sum(({ hits = 0 }) => hits),
  }
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
}
