/** Reads the fingerprints of the texts of some passages, by their ids. */
export type Fingerprints = (ids: readonly number[]) => ReadonlyMap<number, string>

type Scored = { id: number; score: number }

/**
 * The best `count` hits, the best score first. Of equal scores the text with the lower fingerprint comes first, so that the order
 * does not depend on ids, or on when a text was stored. Fingerprints are read for equal scores alone.
 */
export function inTieOrder<Hit extends Scored>(
  hits: readonly Hit[],
  fingerprints: Fingerprints,
  count = Infinity,
): Hit[] {
  const sorted = byScore(hits)
  const last = sorted[count - 1]?.score ?? -Infinity
  const tied = sorted.filter(
    ({ score }, at) => score >= last && (sorted[at - 1]?.score === score || sorted[at + 1]?.score === score),
  )
  return decided(sorted, tied, fingerprints).slice(0, count)
}

/** The same hits with less reading: only those with the score of the last one are put in order. */
export function cutTies<Hit extends Scored>(
  hits: readonly Hit[],
  count: number,
  fingerprints: Fingerprints,
): Hit[] {
  const sorted = byScore(hits)
  const last = sorted[count - 1]?.score
  if (last === undefined || sorted[count]?.score !== last) return sorted.slice(0, count)
  const tied = sorted.filter(({ score }) => score === last)
  return decided(sorted, tied, fingerprints).slice(0, count)
}

const byScore = <Hit extends Scored>(hits: readonly Hit[]): Hit[] =>
  hits.toSorted((left, right) => right.score - left.score)

function decided<Hit extends Scored>(sorted: Hit[], tied: readonly Hit[], fingerprints: Fingerprints): Hit[] {
  if (tied.length === 0) return sorted
  const keys = fingerprints(tied.map(({ id }) => id))
  const keyOf = ({ id }: Hit) => keys.get(id) ?? ''
  return sorted.sort(
    (left, right) =>
      right.score - left.score || (keyOf(left) < keyOf(right) ? -1 : keyOf(left) > keyOf(right) ? 1 : 0),
  )
}
