import type { OpenAIProvider } from '@ai-sdk/openai'
import type { EmbedOptions, Embedder } from '../contract/embedder.ts'
import { errorChain, SluiceError } from '../kit/errors.ts'
import { openOnce } from '../kit/open-once.ts'
import { retry, type RetryOptions } from '../kit/retry.ts'
import { AdaptiveLimit } from './adaptive-limit.ts'
import { batchesOf, type BatchLimits } from './batches.ts'
import { isTooLarge, refusalOf } from '../kit/provider/answer.ts'
import { providerFailure, retryVerdict } from '../kit/provider/failure.ts'
import { TextLimiter } from './text-limiter.ts'
import { checkedVectors } from './checked-vectors.ts'

/** An embedding model of the Vercel AI SDK. */
export type EmbeddingModel = ReturnType<OpenAIProvider['embeddingModel']>
type ModelCall = Parameters<EmbeddingModel['doEmbed']>[0]

/** A model that can be called, and the secrets that must not appear in messages. */
export type OpenEmbeddingModel = { model: EmbeddingModel; secrets: readonly string[] }

export type ProviderEmbedderOptions = {
  id: string
  /** Name of the provider in messages: "OpenAI". */
  provider: string
  /** The model's name. */
  model: string
  /** Loads the client library and reads the key. Called before the first request. */
  open(): Promise<OpenEmbeddingModel>
  callLimits: BatchLimits
  /** The most tokens of a text that the model reads; absent if unknown. */
  textTokens?: number
  /** Whether a text that is too long is cut; otherwise it is refused. */
  cut: boolean
  /** The requested length of a vector. */
  dimensions?: number
  stripNewLines?: boolean
  providerOptions?: ModelCall['providerOptions']
  /** Whether each call says what its texts are for: `providerOptions.purpose.of` is `query` or `document`. */
  tellsPurpose?: boolean
  /** The hint of the error when the provider refuses the key. */
  keyHint: string
  retry?: Pick<RetryOptions, 'attempts' | 'baseMs' | 'random' | 'wait'>
}

/** An upsert can wait for half a minute until a provider has recovered; a query cannot. */
const UPSERT_ATTEMPTS = 7
const QUERY_ATTEMPTS = 3

/**
 * These models find more than keyword search. Their cosines vary less than keyword scores, which span 0 to 1, so a
 * weight of one half would have less than half of the effect. `sluice eval` finds the best weight for a flow's own
 * texts.
 */
const HYBRID_WEIGHT = 0.7

/**
 * An embedder for a provider's model. Texts are grouped into calls by count, bytes and tokens. As many calls run at once
 * as the provider accepts. A call is tried again if that may help, and split if it is too large.
 *
 * @throws SluiceError `provider_failed`, `provider_timeout`, `text_too_long`, `cancelled`, `egress_denied`
 */
export function providerEmbedder(options: ProviderEmbedderOptions): Embedder {
  const { id, provider, callLimits, dimensions } = options
  const limit = new AdaptiveLimit()
  const texts = new TextLimiter(options)
  // Tried again at the next call: a missing credential may have been added.
  const open = openOnce(options.open)

  async function embed(
    input: readonly string[],
    embedOptions: EmbedOptions = {},
    purpose: 'query' | 'document' = 'document',
  ) {
    const { note, urgent = false } = embedOptions
    // If a batch fails, the others are cancelled.
    const failed = new AbortController()
    const signal = embedOptions.signal ? AbortSignal.any([embedOptions.signal, failed.signal]) : failed.signal
    const fitting = input.map((text) => texts.fit(prepare(text), note))
    try {
      const calls = [...batchesOf(fitting, callLimits)].map((batch) => callSplitting(batch, signal))
      return (await Promise.all(calls)).flat()
    } catch (error) {
      failed.abort(error)
      if (embedOptions.signal?.aborted) throw new SluiceError('cancelled', {}, { cause: error })
      throw error
    }

    /** Halves a batch that is too large, and cuts a single text that is too long. */
    async function callSplitting(batch: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
      const outcome = await call(batch, signal)
      if (outcome !== 'too large') return outcome
      if (batch.length === 1)
        return texts.cutUntil(batch[0]!, note, async (shorter) => {
          const outcome = await call([shorter], signal)
          return outcome === 'too large' ? undefined : outcome
        })
      const middle = Math.ceil(batch.length / 2)
      const first = await callSplitting(batch.slice(0, middle), signal)
      return [...first, ...(await callSplitting(batch.slice(middle), signal))]
    }

    async function call(
      batch: readonly string[],
      signal: AbortSignal,
    ): Promise<Float32Array[] | 'too large'> {
      const { model, secrets } = await open()
      const request: ModelCall = {
        values: [...batch],
        abortSignal: signal,
        ...(dimensions === undefined ? {} : { dimensions }),
        ...(options.providerOptions ? { providerOptions: options.providerOptions } : {}),
        ...(options.tellsPurpose ? { providerOptions: { purpose: { of: purpose } } } : {}),
      }
      const attempt = () => limit.run(async () => model.doEmbed(request), isTooMuch, signal)
      try {
        const answer = await retry(attempt, {
          attempts: urgent ? QUERY_ATTEMPTS : UPSERT_ATTEMPTS,
          ...options.retry,
          verdict: retryVerdict,
          signal,
        })
        return checkedVectors(answer, { provider, texts: batch.length, dimensions })
      } catch (error) {
        if (signal.aborted) throw signal.reason
        if (tooLarge(error)) return 'too large'
        const { keyHint } = options
        const unreadable = 'its answer has no vectors in it'
        throw providerFailure(error, { provider, stage: 'embed', unreadable, secrets, texts: batch, keyHint })
      }
    }
  }

  const prepare = (text: string) => (options.stripNewLines ? text.replaceAll('\n', ' ') : text)

  return {
    id,
    ...(dimensions === undefined ? {} : { dimensions }),
    hybridWeight: HYBRID_WEIGHT,
    limits: { texts: callLimits.texts, bytes: callLimits.bytes },
    get concurrency() {
      return limit.size
    },
    embed: (input, embedOptions) => embed(input, embedOptions),
    embedQuery: async (text, embedOptions) =>
      (await embed([text], { ...embedOptions, urgent: true }, 'query'))[0]!,
  }
}

const refusals = (error: unknown) => errorChain(error).flatMap((cause) => refusalOf(cause) ?? [])
const isTooMuch = (error: unknown) => refusals(error).some(({ status }) => status === 429)
const tooLarge = (error: unknown) => refusals(error).some(isTooLarge)
