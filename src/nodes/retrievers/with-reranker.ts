import type { BuildContext, StorePart } from '../../contract/card.ts'
import { httpReranker } from '../../rerank/http-reranker.ts'
import { withRetrieval } from './with-retrieval.ts'
import { type KeySources, keyReader } from '../provider-key.ts'
import { mayCall } from '../may-call.ts'

type RerankingService = {
  /** The name of the provider in messages. */
  provider: string
  model: string
  baseURL: string
  key: KeySources
  /** The number of chunks to return. Default: `topK` of the store. */
  topK: number | undefined
}

/** A store whose results are reranked. */
export function withReranker(part: StorePart, service: RerankingService, context: BuildContext): StorePart {
  const { provider, model, baseURL, key, topK } = service
  mayCall(context, baseURL, 'basePath')
  const reranker = httpReranker({
    egress: context.egress,
    provider,
    model,
    baseURL,
    apiKey: keyReader(key, context),
    keyHint: 'Check the API key: the credential of the node',
  })
  return withRetrieval(part, (own) => ({ ...own, topK: topK ?? own.topK, reranker }))
}
