/** Reads where the texts of some passages are, by their ids: keys that are compared as texts. */
export type Places = (ids: readonly number[]) => ReadonlyMap<number, string>

type Scored = { id: number; score: number }

/**
 * The best `count` hits, the best score first, equal scores by their places. So the order does not depend on ids, or on when a
 * text was stored. Places are read for equal scores alone.
 */
export function inTieOrder<Hit extends Scored>(
  hits: readonly Hit[],
  places: Places,
  count = Infinity,
): Hit[] {
  const sorted = byScore(hits)
  const last = sorted[count - 1]?.score ?? -Infinity
  const tied = sorted.filter(
    ({ score }, at) => score >= last && (sorted[at - 1]?.score === score || sorted[at + 1]?.score === score),
  )
  return decided(sorted, tied, places).slice(0, count)
}

/** The same hits with less reading: only those with the score of the last one are put in order. */
export function cutTies<Hit extends Scored>(hits: readonly Hit[], count: number, places: Places): Hit[] {
  const sorted = byScore(hits)
  const last = sorted[count - 1]?.score
  if (last === undefined || sorted[count]?.score !== last) return sorted.slice(0, count)
  const tied = sorted.filter(({ score }) => score === last)
  return decided(sorted, tied, places).slice(0, count)
}

const byScore = <Hit extends Scored>(hits: readonly Hit[]): Hit[] =>
  hits.toSorted((left, right) => right.score - left.score)

function decided<Hit extends Scored>(sorted: Hit[], tied: readonly Hit[], places: Places): Hit[] {
  if (tied.length === 0) return sorted
  const keys = places(tied.map(({ id }) => id))
  const keyOf = ({ id }: Hit) => keys.get(id) ?? ''
  return sorted.sort(
    (left, right) =>
      right.score - left.score || (keyOf(left) < keyOf(right) ? -1 : keyOf(left) > keyOf(right) ? 1 : 0),
  )
}
