/** The vector of a candidate. One without a vector, or with zeros only, counts as similar to no other. */
export type VectorOf<Candidate> = (candidate: Candidate) => Float32Array | undefined

export type DiversityOptions<Candidate> = {
  /** 1 counts relevance alone, 0 difference alone. */
  lambda: number
  /** How many of the best to choose from. */
  fetchK: number
  vectorOf: VectorOf<Candidate>
}

/** Why a candidate was chosen: its score ÷ the best one, and the closest of those chosen before; undefined for the first. */
export type Diversity<Candidate> = { relevance: number; closest?: { candidate: Candidate; cosine: number } }

/**
 * Chooses candidates one by one, each time the one with the most `lambda` × relevance - (1 - `lambda`) × cosine to the
 * closest of those already chosen: maximal marginal relevance (Carbonell, Goldstein, 1998). Relevance is the score
 * divided by the best score, so that `lambda` means the same on every scale of scores.
 */
export function* chooseDiverse<Candidate extends { score: number }>(
  candidates: readonly Candidate[],
  { lambda, fetchK, vectorOf }: DiversityOptions<Candidate>,
): Generator<Candidate & { diversity: Diversity<Candidate> }> {
  const best = candidates.reduce((most, { score }) => Math.max(most, score), 0) || 1
  const left = candidates
    .toSorted((one, other) => other.score - one.score)
    .slice(0, fetchK)
    .map((candidate) => ({
      candidate,
      direction: directionOf(vectorOf(candidate)),
      diversity: { relevance: candidate.score / best } as Diversity<Candidate>,
    }))
  // For the first one only relevance counts: none is chosen yet.
  const gain = ({ diversity: { relevance, closest } }: (typeof left)[number]) =>
    lambda * relevance - (1 - lambda) * (closest?.cosine ?? 0)
  while (left.length > 0) {
    const next = left.reduce((most, one) => (gain(one) > gain(most) ? one : most))
    const { candidate } = next
    yield { ...candidate, diversity: next.diversity }
    left.splice(left.indexOf(next), 1)
    for (const { direction, diversity } of left) {
      const cosine = likeness(direction, next.direction)
      if (cosine > (diversity.closest?.cosine ?? -Infinity)) diversity.closest = { candidate, cosine }
    }
  }
}

/** Leaves out a candidate whose vector has a cosine of at least `threshold` to that of an earlier one. */
export function* withoutNearDuplicates<Candidate>(
  candidates: Iterable<Candidate>,
  { threshold, vectorOf }: { threshold: number; vectorOf: VectorOf<Candidate> },
): Generator<Candidate> {
  const kept: Direction[] = []
  for (const candidate of candidates) {
    const direction = directionOf(vectorOf(candidate))
    if (kept.some((one) => likeness(direction, one) >= threshold - ROUNDING)) continue
    kept.push(direction)
    yield candidate
  }
}

/** The closest of some others to a candidate, and its cosine; undefined where there is none. */
export function closestAmong<Candidate>(
  candidate: Candidate,
  others: readonly Candidate[],
  vectorOf: VectorOf<Candidate>,
): { candidate: Candidate; cosine: number } | undefined {
  const direction = directionOf(vectorOf(candidate))
  let closest: { candidate: Candidate; cosine: number } | undefined
  for (const other of others) {
    const cosine = likeness(direction, directionOf(vectorOf(other)))
    if (!closest || cosine > closest.cosine) closest = { candidate: other, cosine }
  }
  return closest
}

/** A vector of length 1; undefined where there is none, or one of zeros. */
type Direction = Float32Array | undefined

/** The rounding error of 32-bit directions: two equal vectors must count as equal. */
export const ROUNDING = 1e-6

/** Each vector is compared with many, so its length is computed once. */
function directionOf(vector: Float32Array | undefined): Direction {
  if (!vector) return undefined
  const length = Math.hypot(...vector)
  return length > 0 ? vector.map((number) => number / length) : undefined
}

function likeness(one: Direction, other: Direction): number {
  if (!one || !other) return 0
  let dot = 0
  for (let at = 0; at < one.length; at++) dot += one[at]! * other[at]!
  return dot
}
