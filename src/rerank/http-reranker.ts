import type { Reranker } from '../contract/reranker.ts'
import type { Egress } from '../kit/egress/client.ts'
import { modelId, readBaseURL } from '../kit/provider/base-url.ts'
import { httpRerankingModel } from './http-model.ts'
import { providerReranker, type ProviderRerankerOptions } from './provider-reranker.ts'

export type HttpRerankerOptions = Pick<ProviderRerankerOptions, 'provider' | 'keyHint' | 'retry'> & {
  egress: Egress
  model: string
  baseURL: string
  /** Called before each request. Undefined for a server without a key. */
  apiKey(): Promise<string | undefined>
  /** How long a call may wait for its response, in milliseconds. Default: 30 seconds. */
  timeoutMs?: number | undefined
}

const TIMEOUT_MS = 30_000
/** A score for each text, and with some servers the text itself. */
const ANSWER_BYTES = 8 * 2 ** 20

/** A reranker behind Cohere's protocol. @throws Error for an invalid base URL */
export function httpReranker({
  egress,
  model,
  apiKey,
  timeoutMs,
  ...options
}: HttpRerankerOptions): Reranker {
  const baseURL = readBaseURL(options.baseURL)
  return providerReranker({
    ...options,
    id: modelId('rerank', { model, baseURL }),
    async open() {
      const key = await apiKey()
      const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }
      const fetch = egress
        .forProvider(baseURL)
        .limited({ headersMs: timeoutMs ?? TIMEOUT_MS, responseBytes: ANSWER_BYTES })
      return {
        model: httpRerankingModel({ model, baseURL, headers, fetch }),
        secrets: key === undefined ? [] : [key],
      }
    },
  })
}
