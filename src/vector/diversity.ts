import { cosine } from './cosine.ts'

/** Finds the vector of a candidate; without one, or with one of zeros, it is like no other. */
export type VectorOf<Candidate> = (candidate: Candidate) => Float32Array | undefined

export type DiversityOptions<Candidate> = {
  /** 1 asks for relevance alone, 0 for difference alone. */
  lambda: number
  /** How many of the best to choose from. */
  fetchK: number
  vectorOf: VectorOf<Candidate>
}

/**
 * Chooses candidates one by one, each time the one with the most `lambda` × relevance - (1 - `lambda`) × cosine to the
 * closest of those already chosen: maximal marginal relevance (Carbonell, Goldstein, 1998). Relevance is the score by
 * the best score, so that `lambda` means the same whatever the scores are.
 */
export function* chooseDiverse<Candidate extends { score: number }>(
  candidates: readonly Candidate[],
  { lambda, fetchK, vectorOf }: DiversityOptions<Candidate>,
): Generator<Candidate> {
  const best = candidates.reduce((most, { score }) => Math.max(most, score), 0) || 1
  const left = candidates
    .toSorted((one, other) => other.score - one.score)
    .slice(0, fetchK)
    .map((candidate) => ({ candidate, relevance: candidate.score / best, closest: -Infinity }))
  // Of the first one only relevance counts: nothing is close to it.
  const gain = ({ relevance, closest }: (typeof left)[number]) =>
    lambda * relevance - (1 - lambda) * (closest === -Infinity ? 0 : closest)
  while (left.length > 0) {
    const next = left.reduce((most, one) => (gain(one) > gain(most) ? one : most))
    yield next.candidate
    left.splice(left.indexOf(next), 1)
    for (const one of left)
      one.closest = Math.max(one.closest, likeness(vectorOf(one.candidate), vectorOf(next.candidate)))
  }
}

/** Passes over what says the same as one before it: the cosine of their vectors is at least `threshold`. */
export function* withoutNearDuplicates<Candidate>(
  candidates: Iterable<Candidate>,
  { threshold, vectorOf }: { threshold: number; vectorOf: VectorOf<Candidate> },
): Generator<Candidate> {
  const kept: (Float32Array | undefined)[] = []
  for (const candidate of candidates) {
    const vector = vectorOf(candidate)
    if (kept.some((one) => likeness(vector, one) >= threshold)) continue
    kept.push(vector)
    yield candidate
  }
}

const likeness = (one: Float32Array | undefined, other: Float32Array | undefined): number =>
  (one && other && cosine(one, other)) ?? 0
