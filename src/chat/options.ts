import type { Egress } from '../kit/egress/client.ts'
import type { ProviderModelOptions } from './provider-model.ts'

/** What the models of all providers are made from. */
export type ChatOptions = Pick<
  ProviderModelOptions,
  'egress' | 'streaming' | 'images' | 'sampling' | 'retry'
> & {
  model: string
  baseURL: string
  /** How long the provider may be silent, before its answer and in it. */
  timeoutMs?: number | undefined
}

/** Models think, and have to be loaded first: minutes may pass without a word. */
const SILENCE_MS = 300_000

export const fetchWithTimeouts = (egress: Egress, timeoutMs = SILENCE_MS) =>
  egress.limited({ headersMs: timeoutMs, idleMs: timeoutMs })
