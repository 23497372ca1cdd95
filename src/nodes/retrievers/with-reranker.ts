import type { BuildContext, StorePart } from '../../contract/card.ts'
import { httpReranker } from '../../rerank/http-reranker.ts'
import { type KeySources, providerKey } from '../provider-key.ts'

type RerankingService = {
  /** By which people know it. */
  provider: string
  model: string
  baseURL: string
  key: KeySources
  /** How many chunks are given; as many as the store gives unless said. */
  topK: number | undefined
}

/** The same store, whose answers a reranker has the last word on. */
export function withReranker(part: StorePart, service: RerankingService, context: BuildContext): StorePart {
  const { provider, model, baseURL, key, topK = part.retrieval.topK } = service
  const reranker = httpReranker({
    egress: context.egress,
    provider,
    model,
    baseURL,
    apiKey: () => providerKey(key, context),
    keyHint: 'Check the API key: the credential of the node',
  })
  return { ...part, retrieval: { ...part.retrieval, topK, reranker } }
}
