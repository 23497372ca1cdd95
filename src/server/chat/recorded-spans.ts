import type { FlowExecution } from '../../contract/flow-execution-store.ts'
import type { RunSpan } from '../../contract/run-span.ts'
import type { Json } from '../../kit/json.ts'
import { cutText, withCutTexts, withinLength } from './shorten-json.ts'

/** The most spans that are kept of a run. */
const MAX_SPANS = 500
/** The most characters of a text of a span, such as the output of a tool: a run is repeated with what is kept whole. */
const MAX_TEXT = 16_000
/** The most characters of the input of a tool, and of the calls of a model, as JSON. */
const MAX_INPUT = 16_000
/** The most characters of all spans of a run, as JSON. */
const MAX_LENGTH = 250_000

export type RecordedSpans = {
  /** Takes a span that has begun, or again when it has ended. */
  note(span: RunSpan): void
  /**
   * What is stored.
   *
   * @param before the same run until a person decided: its spans come first
   * @param status the state of what has not ended, in a run that has
   */
  stored(before: RunUntilDecision | undefined, status?: RunSpan['status']): SpanColumns
}

type SpanColumns = Pick<FlowExecution, 'spans' | 'omittedSpans'>

/** A run as it was stored when it began to wait, what the person decided, and when, in ms since 1970. */
export type RunUntilDecision = SpanColumns & {
  updatedAt: number
  decision: NonNullable<RunSpan['decision']>
  decidedAt: number
}

/** Collects the spans of a run, and keeps their number and size within limits. */
export function recordedSpans(): RecordedSpans {
  const spans = new Map<number, RunSpan>()
  let omitted = 0
  return {
    note(span) {
      if (spans.has(span.id) || spans.size < MAX_SPANS) spans.set(span.id, cutSpan(span))
      // A span comes twice, when it begins and when it ends.
      else if (span.ms === undefined) omitted += 1
    },
    stored(before, status) {
      const earlier = before ? [...before.spans.map(decided), waitFor(before)] : []
      const offset = lastId(earlier)
      const own = [...spans.values()].map((span) => ({
        ...span,
        id: span.id + offset,
        ...(span.parent === undefined ? {} : { parent: span.parent + offset }),
      }))
      const all = [...earlier, ...own].map((span) =>
        status && span.status === 'INPROGRESS' ? { ...span, status } : span,
      )
      const kept = all.slice(0, MAX_SPANS)
      return {
        spans: smallSpans(kept),
        omittedSpans: omitted + all.length - kept.length + (before?.omittedSpans ?? 0),
      }
    },
  }
}

/** What waited for the person has ended now. */
const decided = (span: RunSpan): RunSpan =>
  span.status === 'STOPPED' ? { ...span, status: 'FINISHED' } : span

const lastId = (spans: readonly RunSpan[]) => spans.reduce((last, { id }) => Math.max(last, id), 0)

const waitFor = ({ spans, updatedAt, decision, decidedAt }: RunUntilDecision): RunSpan => ({
  id: lastId(spans) + 1,
  ...{ kind: 'wait', name: 'A person decides', status: 'FINISHED', decision },
  start: updatedAt,
  ms: Math.max(0, decidedAt - updatedAt),
})

function cutSpan(span: RunSpan): RunSpan {
  const { input, output, query, error, calls } = span
  const shortInput = input === undefined ? undefined : cutInput(input)
  const isCut =
    (output !== undefined && output.length > MAX_TEXT) ||
    (input !== undefined && JSON.stringify(shortInput) !== JSON.stringify(input)) ||
    (calls !== undefined && JSON.stringify(calls).length > MAX_INPUT)
  const { calls: _, ...rest } = span
  return {
    ...(isCut ? rest : span),
    name: cutText(span.name, 200),
    ...(shortInput === undefined ? {} : { input: shortInput }),
    ...(output === undefined ? {} : { output: cutText(output, MAX_TEXT) }),
    ...(query === undefined ? {} : { query: cutText(query, MAX_TEXT) }),
    ...(error ? { error: { ...error, message: cutText(error.message, MAX_TEXT) } } : {}),
    ...(isCut ? { cut: true } : {}),
  }
}

/** An input that has too much besides long texts becomes the beginning of its JSON. */
function cutInput(input: Json): Json {
  const cut = withCutTexts(input, MAX_TEXT)
  const text = JSON.stringify(cut)
  return text.length > MAX_INPUT ? cutText(text, MAX_INPUT) : cut
}

/** Spans of a run that is too large: their texts are cut once more, which each of them that has texts says. */
function smallSpans(spans: RunSpan[]): RunSpan[] {
  const small = withinLength(spans, MAX_LENGTH - MAX_SPANS * ',"cut":true'.length, bareSpan)
  if (small === spans) return spans
  return small.map((span, at) =>
    JSON.stringify(span) === JSON.stringify(spans[at]) ? span : { ...span, cut: true as const },
  )
}

const bareSpan = ({ id, parent, kind, name, status, start, ms, nodeId }: RunSpan): RunSpan => ({
  ...{ id, kind, name, status, start },
  ...(parent === undefined ? {} : { parent }),
  ...(ms === undefined ? {} : { ms }),
  ...(nodeId === undefined ? {} : { nodeId }),
})
