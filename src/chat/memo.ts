import { isObject, type JsonObject } from '../kit/json.ts'
import type { ProviderOptions } from './sdk.ts'

/** A stretch of thinking, with what proves to the provider that it is its own. */
export type Thought = { text: string; providerOptions?: ProviderOptions }

/**
 * What a provider wants back with a call that its model has made: the thoughts that led to it, and the signature of
 * the call. Anthropic and Google refuse to go on without them.
 */
export type ProviderMemo = { thoughts: Thought[]; options: { providerOptions?: ProviderOptions } }

/** A memo as it lies in a call, undefined where there is nothing to remember. */
export function writeMemo(
  thoughts: readonly Thought[],
  providerOptions: ProviderOptions | undefined,
): JsonObject | undefined {
  if (thoughts.length === 0 && providerOptions === undefined) return undefined
  return { thoughts: [...thoughts], options: providerOptions ? { providerOptions } : {} } as JsonObject
}

/** It may have been kept with a conversation that was made by another version, or by another model. */
export function readMemo(memo: JsonObject | undefined): ProviderMemo {
  if (memo === undefined || !Array.isArray(memo.thoughts) || !isObject(memo.options))
    return { thoughts: [], options: {} }
  return memo as unknown as ProviderMemo
}
