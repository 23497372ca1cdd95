import { rarity } from '../../keyword/bm25.ts'

/**
 * The weight of each term of a question in an index: its weight in the question × its rarity among the passages. A term
 * that no passage has counts as one that a single passage has.
 *
 * @param holders how many passages have each term
 * @param passages how many there are
 */
export function termWeights(
  terms: ReadonlyMap<number, number>,
  holders: ReadonlyMap<number, number>,
  passages: number,
): Map<number, number> {
  const corpus = { passages, averageLength: 1 }
  return new Map(
    Array.from(terms, ([term, weight]) => [
      term,
      weight * rarity(corpus, Math.max(1, holders.get(term) ?? 0)),
    ]),
  )
}
