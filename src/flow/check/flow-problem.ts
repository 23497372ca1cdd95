import type { ErrorCode } from '../../kit/errors.ts'
import type { RequestKind } from '../describe-requests.ts'
import type { Severity } from './report-row.ts'

export type { RequestKind }

/** Where a problem can be corrected. */
export type Place = {
  /** The node; null where the problem belongs to the whole flow. */
  nodeId: string | null
  /** The name of the input; for an input of a part within the node `agentModel.modelName`, `agentTools[0].agentSelectedTool.url`. */
  input: string | null
}

/** Something that keeps a flow from running, with the place where the author can correct it. */
export type FlowProblem = Place & {
  /** The line of a JSON text, from 1; null for other values. */
  line: number | null
  code: ErrorCode
  message: string
  /** Whether this server lacks what the flow asks for, or something has to be supplied or set. */
  severity: Severity
  /** What to do or to use instead, as a sentence; null where the message says it. */
  instead: string | null
  /** The requests that are refused because of it; none for a node that takes part in nothing. */
  requests: RequestKind[]
}

/** The kinds of requests in sentences. */
export const PLURALS: Readonly<Record<RequestKind, string>> = {
  upsert: 'upserts',
  query: 'queries',
  prediction: 'answers',
}
