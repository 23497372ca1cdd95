import type { JsonObject } from '../kit/json.ts'
import type { JsonSchema, ToolDescription } from './tool.ts'

/** A part of a user message. The `url` of a picture is a data URI or an address. */
export type UserContent = { type: 'text'; text: string } | { type: 'image'; url: string; mime?: string }

/** A call as the model wrote it. `input` is JSON text and may be malformed. */
export type ToolCall = {
  id: string
  name: string
  input: string
  /** Data to send back to the provider with the call, such as signed thoughts. Only the adapter of the provider reads it. */
  memo?: JsonObject
}

export type ModelMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string | UserContent[] }
  | { role: 'assistant'; content: string; toolCalls?: ToolCall[] }
  | { role: 'tool'; callId: string; name: string; content: string; failed?: boolean }

/** Token counts of the provider; 0 if it sends none. */
export type TokenUsage = { inputTokens: number; outputTokens: number }

/** The events of a model, in order. `end` always comes, as the last one. */
export type ModelEvent =
  | { type: 'text'; text: string }
  | { type: 'thinking'; text: string }
  | { type: 'toolCall'; call: ToolCall }
  | { type: 'end'; reason: 'stop' | 'length' | 'toolCalls' | 'filtered' | 'other'; usage: TokenUsage }

export type ModelRequest = {
  messages: readonly ModelMessage[]
  tools?: readonly ToolDescription[]
  /** The shape of an answer that must be JSON. */
  answerSchema?: { name: string; schema: JsonSchema }
}

/** A chat model of a provider. */
export type ChatModel = {
  /** Provider and model, for logs and records. Contains no secret. */
  readonly id: string
  /** Whether the flow sends tokens to the client as they arrive. */
  readonly streaming: boolean
  /** Whether pictures are sent to the model. */
  readonly images: boolean
  /** Present where no model of the provider calls tools. */
  readonly callsTools?: false
  /**
   * Calls the model once. Aborting the signal ends the call to the provider at once.
   *
   * @throws SluiceError `provider_failed`, `provider_timeout`, `credential_missing`, `cancelled`, `egress_denied`
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>
}
