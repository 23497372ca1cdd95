import type { Json } from '../kit/json.ts'

/** The state of a node or a span: `STOPPED` waits for a person, `TERMINATED` was aborted. */
export type StepStatus = 'INPROGRESS' | 'FINISHED' | 'STOPPED' | 'ERROR' | 'TERMINATED'

/** What a span is: a node of an agent flow, a call of a model or tool, a search, or the wait for a person. */
export const SPAN_KINDS = ['node', 'model', 'tool', 'search', 'wait'] as const
export type SpanKindOfRun = (typeof SPAN_KINDS)[number]

/** A source that a search found. The score compares hits of one search; a search of a separate engine may have none. */
export type FoundSource = { source: string; score?: number }

/** The facts of a span, by what it is. A field is absent until it is known. */
export type SpanFacts = {
  /** `node`: its id in the drawing. */
  nodeId?: string
  /** `model`: why it was called, where that is not the answer itself. */
  purpose?: string
  inputTokens?: number
  outputTokens?: number
  /** `tool`: what the model gave it, and what it gave back. */
  input?: Json
  output?: string
  /** `tool`: the status of its last HTTP call. */
  httpStatus?: number
  /** `search`: what was searched, how many chunks were found, and the sources of the best ones. */
  query?: string
  hits?: number
  sources?: FoundSource[]
  /** `wait`: what the person decided. */
  decision?: 'proceed' | 'reject'
}

/** A part of a run with its time. Spans of one run are ordered by their ids, which begin with 1. */
export type RunSpan = SpanFacts & {
  id: number
  /** The id of the span within which it ran; absent for one that belongs to the run itself. */
  parent?: number
  kind: SpanKindOfRun
  name: string
  status: StepStatus
  /** When it began, in ms since 1970. */
  start: number
  /** How long it took, in ms; absent until it has ended. */
  ms?: number
  error?: { code: string; message: string }
}
