import type { JsonObject } from '../kit/json.ts'
import type { Document } from './document.ts'

/** A JSON Schema (draft 2020-12), as models are told it and as input is checked against it. */
export type JsonSchema = JsonObject

/** What a model is told of a tool. */
export type ToolDescription = {
  /** At most 64 of `a-z A-Z 0-9 _ -`; what providers take. */
  readonly name: string
  readonly description: string
  /** The schema of the input: always of type object. */
  readonly parameters: JsonSchema
}

/** Something a model may call. */
export type Tool = ToolDescription & {
  /** What it gives goes to the user as it is, and ends the turn. */
  readonly returnDirect?: boolean
  /** Whether it changes something outside: approval may be asked before. */
  readonly unsafe?: boolean
  /**
   * Does the work. Whatever goes wrong outside (an answer of status 404, a refused address) is an outcome with `failed`,
   * told to the model so that it can correct itself; only a cancelled signal and our own mistakes are thrown.
   */
  call(input: JsonObject, signal: AbortSignal, place?: CallContext): Promise<ToolOutcome>
}

/** Where a call happens: what code of a flow's author reads as `$flow` and `$vars`. */
export type CallContext = {
  readonly flow: {
    chatflowId: string
    sessionId?: string
    chatId?: string
    /** What the user asked. */
    input?: string
    state?: JsonObject
  }
  readonly variables: JsonObject
}

export type ToolOutcome = {
  /** What the model reads: bounded, never a secret. */
  output: string
  failed?: boolean
  /** The chunks that the output was made of. */
  documents?: Document[]
}

/** One tool or many, known only once they are asked for: a description is loaded, a remote server is listed. */
export type Toolset = {
  /** @throws SluiceError where the tools cannot be had */
  tools(signal: AbortSignal): Promise<Tool[]>
}
