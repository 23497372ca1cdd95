import type { JsonObject } from '../kit/json.ts'
import type { JsonSchema, ToolDescription } from './tool.ts'

/** A piece of what a user sends: text, or a picture as a data URI or an address. */
export type UserContent = { type: 'text'; text: string } | { type: 'image'; url: string; mime?: string }

/** A call as the model wrote it; `input` is JSON text and may be malformed. */
export type ToolCall = {
  id: string
  name: string
  input: string
  /** What the model wants to see again with the call (its signed thoughts); nobody else looks into it. */
  memo?: JsonObject
}

export type ModelMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string | UserContent[] }
  | { role: 'assistant'; content: string; toolCalls?: ToolCall[] }
  | { role: 'tool'; callId: string; name: string; content: string; failed?: boolean }

/** In tokens, as the provider counts them; 0 where it does not say. */
export type TokenUsage = { inputTokens: number; outputTokens: number }

/** What arrives from a model, in order; `end` is the last and always comes. */
export type ModelEvent =
  | { type: 'text'; text: string }
  | { type: 'thinking'; text: string }
  | { type: 'toolCall'; call: ToolCall }
  | { type: 'end'; reason: 'stop' | 'length' | 'toolCalls' | 'filtered' | 'other'; usage: TokenUsage }

export type ModelRequest = {
  messages: readonly ModelMessage[]
  tools?: readonly ToolDescription[]
  /** The answer is to be JSON of this shape. */
  answerSchema?: { name: string; schema: JsonSchema }
}

/** A chat model of a provider. */
export type ChatModel = {
  /** Provider and model, for logs and records; no secret. */
  readonly id: string
  /** Whether the flow lets its tokens out as they come. */
  readonly streaming: boolean
  /** Whether pictures may be sent to it. */
  readonly images: boolean
  /**
   * One turn of the model. Aborting the signal ends the call to the provider at once.
   *
   * @throws SluiceError `provider_failed`, `provider_timeout`, `credential_missing`, `cancelled`; `egress_denied`
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>
}
