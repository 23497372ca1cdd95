import type { JsonObject } from '../kit/json.ts'
import type { Document } from './document.ts'

/** A JSON Schema (draft 2020-12). It is sent to models, and input is validated against it. */
export type JsonSchema = JsonObject

/** The description of a tool for a model. */
export type ToolDescription = {
  /** At most 64 characters of `a-z A-Z 0-9 _ -`: all providers accept such a name. */
  readonly name: string
  readonly description: string
  /** The schema of the input, always of type object. */
  readonly parameters: JsonSchema
}

/** A tool that a model may call. */
export type Tool = ToolDescription & {
  /** The output goes to the user unchanged and ends the answer. */
  readonly returnDirect?: boolean
  /** The tool may change something outside this server. A flow can require a person's approval for it. */
  readonly unsafe?: boolean
  /**
   * Makes the call. A failed call (a response of status 404, a refused address) is an outcome with `failed`, so that the
   * model can correct itself. Throws only for a cancelled signal and for bugs.
   */
  call(input: JsonObject, signal: AbortSignal, context?: ToolCallContext): Promise<ToolOutcome>
  /** The request that a call with this input would send, for the person who approves it; undefined if it cannot be sent. */
  preview?(input: JsonObject): ShownRequest | undefined
}

/** The run that a call belongs to. The code of a flow's author reads it as `$flow` and `$vars`. */
export type ToolCallContext = {
  readonly flow: {
    chatflowId: string
    sessionId?: string
    chatId?: string
    /** The question of the user. */
    input?: string
    state?: JsonObject
  }
  readonly variables: JsonObject
  /** Answers a question with a chain that plugs into a tool; absent where no chain runs. */
  readonly answerWith?: (chain: object, question: string, signal: AbortSignal) => Promise<ToolOutcome>
}

export type ToolOutcome = {
  /** The text for the model. Its length is limited and it contains no secret. */
  output: string
  failed?: boolean
  /** The chunks that the output was made from. */
  documents?: Document[]
  /** The HTTP calls behind the output, in the order in which they ended. */
  http?: HttpExchange[]
}

/** A part of an HTTP message for a manager: secrets are masked, a long body is cut. */
export type ShownMessage = {
  headers: Record<string, string>
  /** Text; for a body that is not text, its type and size. */
  body: string
}

/** A request as it is sent, with masked secrets. */
export type ShownRequest = { method: string; address: string } & ShownMessage

/** One HTTP call of a tool, for a manager. */
export type HttpExchange = {
  method: string
  /** The address with its query; secrets in it are masked. */
  address: string
  /** The status of the answer; null where none came. */
  status: number | null
  /** Why there is no answer. */
  error?: string
  /** Milliseconds until the answer was read, over all attempts. */
  ms: number
  /** The size of the body of the answer, in bytes; a limit where it is larger, see `complete`. */
  bytes: number
  /** Whether the whole body of the answer was read. */
  complete: boolean
  request: ShownMessage
  response: ShownMessage | null
}

/** One or more tools that are loaded on demand: from an API description, or from a remote server. */
export type Toolset = {
  /** @throws SluiceError if the tools cannot be loaded */
  tools(signal: AbortSignal): Promise<Tool[]>
}
