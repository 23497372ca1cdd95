import type { JsonObject } from '../kit/json.ts'

/**
 * A piece of the text of a prompt. `value`: the name between single braces, `{product}`, which a value of the prompt fills. `place`: the
 * name between double braces, `{{question}}`, which the run fills.
 */
export type PromptPiece =
  | { type: 'text'; text: string }
  | { type: 'value'; name: string }
  | { type: 'place'; name: string }

export type TemplateMessage = { role: 'system' | 'user' | 'assistant'; pieces: readonly PromptPiece[] }

/** A prompt of a chain. */
export type PromptPart = {
  nodeId: string
  /** In the order in which the model reads them. */
  messages: readonly TemplateMessage[]
  /** Values by name, as they are drawn: their texts may hold `{{question}}` and `{{llmChain_0.data.instance}}`. */
  values: JsonObject
}

/** One of several prompts among which a model chooses. */
export type NamedPrompt = { name: string; description: string; prompt: PromptPart }
