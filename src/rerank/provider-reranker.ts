import type { Reranker } from '../contract/reranker.ts'
import { SluiceError } from '../kit/errors.ts'
import { providerFailure, retryVerdict } from '../kit/provider/failure.ts'
import { retry, type RetryOptions } from '../kit/retry.ts'
import type { RerankingModel } from './sdk.ts'

/** A model of the AI SDK, and the secrets that must not appear in error messages. */
export type OpenRerankingModel = { model: RerankingModel; secrets: readonly string[] }

export type ProviderRerankerOptions = {
  id: string
  /** The name of the provider in messages: "Cohere". */
  provider: string
  /** Reads the key. Called before each request. */
  open(): Promise<OpenRerankingModel>
  /** The hint of the error when the provider refuses the key. */
  keyHint: string
  retry?: Pick<RetryOptions, 'attempts' | 'baseMs' | 'random' | 'wait'>
}

/** A person waits for the answer, so the retries end soon. */
const PATIENCE = { attempts: 3, baseMs: 500, patienceMs: 20_000 }

/** A reranker from a model of the AI SDK: one call for each query, with retries. */
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
        return checkedRanking(ranking, call.topN, texts.length, provider)
      } catch (error) {
        if (signal?.aborted) throw new SluiceError('cancelled', {}, { cause: error })
        throw providerFailure(error, {
          provider,
          stage: 'rerank',
          unreadable: 'its answer contains no ranking',
          secrets,
          texts: [query, ...texts],
          keyHint: options.keyHint,
        })
      }
    },
  }
}

/** The best `wanted` entries of a ranking, best first. @throws SluiceError `provider_failed` for an invalid ranking */
function checkedRanking(
  ranking: readonly { index: number; relevanceScore: number }[],
  wanted: number,
  textCount: number,
  provider: string,
): { index: number; score: number }[] {
  const invalid = (reason: string) =>
    new SluiceError('provider_failed', { provider, reason, stage: 'rerank' })
  const indexes = new Set(ranking.map(({ index }) => index))
  const unknown = ranking.find(({ index }) => !Number.isInteger(index) || index < 0 || index >= textCount)
  if (unknown) throw invalid(`it ranked the text ${unknown.index}, but the request has only ${textCount}`)
  if (indexes.size < ranking.length) throw invalid('it ranked a text twice')
  if (indexes.size < wanted) throw invalid(`it ranked ${indexes.size} texts instead of ${wanted}`)
  return ranking
    .map(({ index, relevanceScore }) => ({ index, score: relevanceScore }))
    .toSorted((one, other) => other.score - one.score)
    .slice(0, wanted)
}
