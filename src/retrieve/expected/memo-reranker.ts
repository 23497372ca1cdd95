import type { Reranker } from '../../contract/reranker.ts'
import type { QuerySettings } from '../settings.ts'
import type { TraceMemo } from '../trace.ts'

/** A try that would need another call of a reranker, which takes time and may cost money, is not made. */
export class NotTried extends Error {}

/** How often the reranker is called to find the change that shows a chunk, beside the call of the answer. */
const MOST_CALLS = 2

/** What is kept while a missing chunk is looked for. */
export const traceMemo = (): TraceMemo => ({
  searches: new Map(),
  rescorings: new Map(),
  reranked: new Map(),
  rerankCalls: 1 + MOST_CALLS,
})

/** Settings whose reranker reads the same texts once. */
export function withMemo(settings: QuerySettings, memo: TraceMemo): QuerySettings {
  const { reranker } = settings
  return reranker ? { ...settings, reranker: memoReranker(reranker, memo) } : settings
}

const memoReranker = (reranker: Reranker, memo: TraceMemo): Reranker => ({
  id: reranker.id,
  rerank(query, texts, options) {
    const key = JSON.stringify([query, texts, options.limit])
    const known = memo.reranked.get(key)
    if (known) return known
    if (memo.rerankCalls === 0) throw new NotTried()
    memo.rerankCalls--
    const reranked = reranker.rerank(query, texts, options)
    memo.reranked.set(key, reranked)
    return reranked
  },
})
