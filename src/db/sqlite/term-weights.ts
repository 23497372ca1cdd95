import { rarity } from '../../keyword/bm25.ts'
import { postingsOf } from '../../keyword/page.ts'
import type { Connection } from './connection.ts'
import { type PageRow, segmentsToSearch } from './text-segments.ts'

/** The weight of each term of a question in an index: its weight in the question × its rarity among the passages. */
export function termWeights(
  connection: Connection,
  indexId: number,
  terms: ReadonlyMap<number, number>,
): Map<number, number> {
  const segments = segmentsToSearch(connection, indexId)
  const passages = segments.reduce((sum, { ids }) => sum + ids.size, 0)
  const page = connection.prepare(
    'SELECT page FROM text_pages WHERE segment_id = ? AND first_term <= ? ORDER BY first_term DESC LIMIT 1',
  )
  return new Map(
    Array.from(terms, ([term, weight]) => {
      const holders = segments.reduce((sum, { id }) => {
        const row = page.get(id, term) as PageRow | undefined
        return sum + ((row && postingsOf(row.page, term)?.count) ?? 0)
      }, 0)
      // A term that no passage has counts as one that a single passage has.
      return [term, weight * rarity({ passages, averageLength: 1 }, Math.max(1, holders))]
    }),
  )
}
