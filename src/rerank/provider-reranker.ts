import type { Reranker } from '../contract/reranker.ts'
import { SluiceError } from '../kit/errors.ts'
import { providerFailure, retryVerdict } from '../kit/provider/failure.ts'
import { retry, type RetryOptions } from '../kit/retry.ts'
import type { RerankingModel } from './sdk.ts'

/** A model ready to be called, and the secrets that its messages may never show. */
export type OpenRerankingModel = { model: RerankingModel; secrets: readonly string[] }

export type ProviderRerankerOptions = {
  id: string
  /** By which people know the provider: "Cohere". */
  provider: string
  /** Finds the key, at the first call. */
  open(): Promise<OpenRerankingModel>
  /** What to do when the provider does not accept the key. */
  keyHint: string
  retry?: Pick<RetryOptions, 'attempts' | 'baseMs' | 'random' | 'wait'>
}

/** A person waits for the answer: a provider that does not recover soon is given up. */
const PATIENCE = { attempts: 3, baseMs: 500, patienceMs: 20_000 }

/** Makes a reranker of a provider's model: one call a question, made again where that may help. */
export function providerReranker(options: ProviderRerankerOptions): Reranker {
  const { id, provider } = options
  return {
    id,
    async rerank(query, texts, { limit, signal }) {
      const { model, secrets } = await options.open()
      const documents = { type: 'text' as const, values: [...texts] }
      const call = {
        query,
        documents,
        topN: Math.min(limit, texts.length),
        ...(signal ? { abortSignal: signal } : {}),
      }
      try {
        const { ranking } = await retry(async () => model.doRerank(call), {
          ...PATIENCE,
          ...options.retry,
          verdict: retryVerdict,
          signal,
        })
        return checked(ranking, call.topN, texts.length, provider)
      } catch (error) {
        if (signal?.aborted) throw new SluiceError('cancelled', {}, { cause: error })
        throw providerFailure(error, {
          provider,
          stage: 'rerank',
          unreadable: 'its answer has no ranking in it',
          secrets,
          texts: [query, ...texts],
          keyHint: options.keyHint,
        })
      }
    },
  }
}

/** The best `wanted` places of an answer, the best first, each a text that was given and none twice. */
function checked(
  ranking: readonly { index: number; relevanceScore: number }[],
  wanted: number,
  given: number,
  provider: string,
): { index: number; score: number }[] {
  const refuse = (reason: string) => new SluiceError('provider_failed', { provider, reason, stage: 'rerank' })
  const places = new Set(ranking.map(({ index }) => index))
  const stray = ranking.find(({ index }) => !Number.isInteger(index) || index < 0 || index >= given)
  if (stray) throw refuse(`it ranked the text ${stray.index} of ${given}, which it was not given`)
  if (places.size < ranking.length) throw refuse('it ranked a text twice')
  if (places.size < wanted) throw refuse(`it ranked ${places.size} texts where ${wanted} were asked for`)
  return ranking
    .map(({ index, relevanceScore }) => ({ index, score: relevanceScore }))
    .toSorted((one, other) => other.score - one.score)
    .slice(0, wanted)
}
