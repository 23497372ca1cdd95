import type { ErrorCode } from '../../kit/errors.ts'

/** Something that keeps a flow from running, with the place where the author can correct it. */
export type FlowProblem = {
  /** The node; null where the problem belongs to the whole flow. */
  nodeId: string | null
  /** The name of the input; for an input of a part within the node `agentModel.modelName`, `agentTools[0].agentSelectedTool.url`. */
  input: string | null
  /** The line of a JSON text, from 1; null for other values. */
  line: number | null
  code: ErrorCode
  message: string
}
