import type { ChatOptions } from './provider-model.ts'

/** A model may need minutes to be loaded and to think before its first token. */
const SILENCE_MS = 300_000

/** The most bytes of one answer: a stream has some 200 bytes for each token. */
const ANSWER_BYTES = 32 * 2 ** 20

/** A fetch for the provider at `baseURL`. Its response headers and body bytes may each be `timeoutMs` apart. */
export const providerFetch = (
  { egress, timeoutMs = SILENCE_MS }: Pick<ChatOptions, 'egress' | 'timeoutMs'>,
  baseURL: string,
) =>
  egress
    .forProvider(baseURL)
    .limited({ headersMs: timeoutMs, idleMs: timeoutMs, responseBytes: ANSWER_BYTES })
