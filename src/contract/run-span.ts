import type { Json } from '../kit/json.ts'
import type { ToolCall } from './chat-model.ts'

/** The state of a node or a span: `STOPPED` waits for a person, `TERMINATED` was aborted. */
export type StepStatus = 'INPROGRESS' | 'FINISHED' | 'STOPPED' | 'ERROR' | 'TERMINATED'

/**
 * What a span is: a node of an agent flow, a call of a model or tool, a search, the wait for a person, or what a node did in an upsert or
 * a query.
 */
export const SPAN_KINDS = ['node', 'model', 'tool', 'search', 'wait', 'stage'] as const
export type SpanKindOfRun = (typeof SPAN_KINDS)[number]

/**
 * A source that a search found. The score compares hits of one search; a search of a separate engine may have none. `vector` and
 * `keyword`: the scores that the two sides gave; null where a side did not find it. `text`: its beginning.
 */
export type FoundSource = {
  source: string
  score?: number
  vector?: number | null
  keyword?: number | null
  text?: string
}

/** The facts of a span, by what it is. A field is absent until it is known. */
export type SpanFacts = {
  /** Its node in the drawing; within a node of an agent flow that node. */
  nodeId?: string
  /** `model`: why it was called, where that is not the answer itself. */
  purpose?: string
  inputTokens?: number
  outputTokens?: number
  /** `model`: the calls of tools that it asked for. */
  calls?: ToolCall[]
  /** `tool`: what the model gave it, and what it gave back; `model`: what it wrote; of a node that calls a server, its output. */
  input?: Json
  output?: string
  /** Whether it was not done, but has its answer from the record of the run that is repeated. */
  recorded?: true
  /** Whether texts of it were cut: what it did cannot be repeated from the record. */
  cut?: true
  /** `tool`: the status of its last HTTP call. */
  httpStatus?: number
  /** `search`: what was searched, how many chunks were found, and the sources of the best ones. */
  query?: string
  hits?: number
  /** `search`: whether it was limited to the documents of a key's pins. */
  pinned?: true
  sources?: FoundSource[]
  /** `stage`: how much passed it, by what is counted. */
  counts?: Record<string, number>
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
