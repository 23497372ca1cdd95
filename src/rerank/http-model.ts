import type { EgressFetch } from '../kit/egress/client.ts'
import { isObject, parseJson } from '../kit/json.ts'
import type { RerankingModel } from './sdk.ts'
import { RefusedAnswer } from '../kit/provider/refused-answer.ts'

export type HttpModelOptions = {
  model: string
  /** The address without `/rerank`. */
  baseURL: string
  headers: Record<string, string>
  fetch: EgressFetch
}

/**
 * A reranking model of the AI SDK for Cohere's protocol, which Jina, LocalAI, llama.cpp, vLLM and others use too:
 * `POST /rerank {model, query, documents, top_n}` → `{results: [{index, relevance_score}]}`. Voyage uses `data` in place
 * of `results`.
 */
export function httpRerankingModel({ model, baseURL, headers, fetch }: HttpModelOptions): RerankingModel {
  return {
    specificationVersion: 'v4',
    provider: new URL(baseURL).host,
    modelId: model,
    async doRerank({ query, documents, topN, abortSignal }) {
      const response = await fetch(`${baseURL}/rerank`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ model, query, documents: documents.values, top_n: topN }),
        ...(abortSignal ? { signal: abortSignal } : {}),
      })
      const body = await response.text()
      const ranking = response.ok ? rankingIn(parseJson(body)) : undefined
      if (!ranking) throw new RefusedAnswer(response, body)
      return { ranking }
    },
  }
}

function rankingIn(body: unknown): { index: number; relevanceScore: number }[] | undefined {
  const rows = isObject(body) ? (body.results ?? body.data) : undefined
  if (!Array.isArray(rows)) return undefined
  const ranking = rows.map((row: unknown) => {
    const { index, relevance_score: score } = isObject(row) ? row : {}
    return typeof index === 'number' && typeof score === 'number'
      ? { index, relevanceScore: score }
      : undefined
  })
  return ranking.every((one) => one !== undefined) ? ranking : undefined
}
