import { isObject, type JsonObject } from '../kit/json.ts'
import { mergeOptions, type ProviderOptions, type StreamPart } from './sdk.ts'

/** A block of the model's thinking. `providerOptions` holds the provider's signature of it. */
export type Thought = { text: string; providerOptions?: ProviderOptions }

/**
 * Data to send back to a provider with a tool call: the thoughts before the call, and the signature of the call.
 * Anthropic and Google refuse a conversation without them.
 */
export type ProviderMemo = { thoughts: Thought[]; options: { providerOptions?: ProviderOptions } }

/** The memo as JSON for `ToolCall.memo`; undefined if there is nothing to keep. */
export function writeMemo(
  thoughts: readonly Thought[],
  providerOptions: ProviderOptions | undefined,
): JsonObject | undefined {
  if (thoughts.length === 0 && providerOptions === undefined) return undefined
  return { thoughts: [...thoughts], options: providerOptions ? { providerOptions } : {} } as JsonObject
}

/** Reads a memo. One with an unknown shape, stored by another version or for another model, becomes empty. */
export function readMemo(memo: JsonObject | undefined): ProviderMemo {
  if (memo === undefined || !Array.isArray(memo.thoughts) || !isObject(memo.options))
    return { thoughts: [], options: {} }
  return memo as unknown as ProviderMemo
}

type ThoughtPart = Extract<StreamPart, { type: 'reasoning-start' | 'reasoning-delta' | 'reasoning-end' }>

/** Collects the parts of each thought. Any part may have the signature. */
export class Thoughts {
  readonly #open = new Map<string, Thought>()

  add(part: ThoughtPart): void {
    const thought = this.#open.get(part.id) ?? { text: '' }
    if (part.type === 'reasoning-delta') thought.text += part.delta
    if (part.providerMetadata)
      thought.providerOptions = mergeOptions(thought.providerOptions ?? {}, part.providerMetadata)
    this.#open.set(part.id, thought)
  }

  take(): Thought[] {
    const taken = [...this.#open.values()]
    this.#open.clear()
    return taken
  }
}
