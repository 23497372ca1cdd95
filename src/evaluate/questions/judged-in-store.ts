import type { ChunkStore } from '../../contract/chunk-store.ts'
import { type SoughtPassage, soughtPassage } from './holds-passage.ts'
import { meets, type SoughtJudgement } from './score-question.ts'

/** How many chunks of a source are looked through for a passage; in a longer source it counts as being there. */
const MOST_CHUNKS = 5000
const PAGE = 200

/**
 * Tells whether what was judged is in a store: the source, and of a passage a chunk that has it. The chunks of the last source are
 * kept, since questions about one document follow each other.
 */
export function judgedInStore(store: ChunkStore) {
  const known = new Map<string, boolean>()
  let last: { source: string; texts: SoughtPassage[]; isWhole: boolean } | undefined

  async function hasSource(source: string): Promise<boolean> {
    const found = known.get(source)
    if (found !== undefined) return found
    const { total } = await store.chunks({ source, offset: 0, limit: 1 })
    known.set(source, total > 0)
    return total > 0
  }

  async function textsOf(source: string, signal: AbortSignal | undefined) {
    if (last?.source === source) return last
    const texts: SoughtPassage[] = []
    let total = 1
    for (let offset = 0; offset < Math.min(total, MOST_CHUNKS); offset += PAGE) {
      signal?.throwIfAborted()
      const page = await store.chunks({ source, offset, limit: PAGE })
      total = page.total
      for (const { pageContent } of page.rows) texts.push(soughtPassage(pageContent))
    }
    last = { source, texts, isWhole: total <= MOST_CHUNKS }
    return last
  }

  return async (judgement: SoughtJudgement, signal?: AbortSignal): Promise<boolean> => {
    // What another program has stored cannot be listed.
    if (store.outside) return true
    if (!(await hasSource(judgement.source))) return false
    if (!judgement.sought) return true
    const { texts, isWhole } = await textsOf(judgement.source, signal)
    return !isWhole || texts.some((text) => meets(judgement, judgement.source, text))
  }
}
