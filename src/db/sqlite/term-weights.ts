import { rarity } from '../../keyword/bm25.ts'
import { countVisible } from './chunks.ts'
import type { Connection } from './connection.ts'
import { holdersOf } from './text-search.ts'

/**
 * The weight of each term of a question in an index: its weight in the question × its rarity among the passages. A term
 * that no passage has counts as one that a single passage has.
 */
export function termWeights(
  connection: Connection,
  indexId: number,
  terms: ReadonlyMap<number, number>,
): Map<number, number> {
  const holders = holdersOf(connection, indexId, terms.keys())
  const corpus = { passages: countVisible(connection, indexId), averageLength: 1 }
  return new Map(
    Array.from(terms, ([term, weight]) => [
      term,
      weight * rarity(corpus, Math.max(1, holders.get(term) ?? 0)),
    ]),
  )
}
