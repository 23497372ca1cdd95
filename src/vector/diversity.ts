import { cosine } from './cosine.ts'

/** Finds the vector of a candidate; without one, or with one of zeros, it is like no other. */
export type VectorOf<Candidate> = (candidate: Candidate) => Float32Array | undefined

export type DiversityOptions<Candidate> = {
  /** How many to choose. */
  k: number
  /** 1 asks for relevance alone, 0 for difference alone. */
  lambda?: number
  /** How many of the best to choose from. */
  fetchK?: number
  vectorOf: VectorOf<Candidate>
}

/**
 * Chooses candidates one by one, each time the one with the most `lambda` × relevance - (1 - `lambda`) × cosine to
 * the closest of those already chosen: maximal marginal relevance (Carbonell, Goldstein, 1998). Relevance is the
 * score by the best score, so that `lambda` means the same whatever the scores are. The result is in the order of
 * choice.
 */
export function chooseDiverse<Candidate extends { score: number }>(
  candidates: readonly Candidate[],
  { k, lambda = 0.5, fetchK = 20, vectorOf }: DiversityOptions<Candidate>,
): Candidate[] {
  const best = candidates.reduce((most, { score }) => Math.max(most, score), 0) || 1
  const left = [...candidates]
    .sort((one, other) => other.score - one.score)
    .slice(0, Math.max(k, fetchK))
    .map((candidate) => ({ candidate, relevance: candidate.score / best, closest: 0 }))
  const gain = ({ relevance, closest }: (typeof left)[number]) => lambda * relevance - (1 - lambda) * closest
  const chosen: Candidate[] = []
  while (chosen.length < k && left.length > 0) {
    const next = left.reduce((most, one) => (gain(one) > gain(most) ? one : most))
    left.splice(left.indexOf(next), 1)
    for (const one of left) {
      const similarity = likeness(vectorOf(one.candidate), vectorOf(next.candidate))
      one.closest = chosen.length === 0 ? similarity : Math.max(one.closest, similarity)
    }
    chosen.push(next.candidate)
  }
  return chosen
}

/**
 * Leaves out a candidate that says the same as one before it: the cosine of their vectors is at least `threshold`.
 */
export function withoutNearDuplicates<Candidate>(
  candidates: readonly Candidate[],
  options: { threshold: number; limit: number; vectorOf: VectorOf<Candidate> },
): Candidate[] {
  const { threshold, limit, vectorOf } = options
  const kept: Candidate[] = []
  for (const candidate of candidates) {
    if (kept.length === limit) break
    const vector = vectorOf(candidate)
    if (!kept.some((one) => likeness(vector, vectorOf(one)) >= threshold)) kept.push(candidate)
  }
  return kept
}

const likeness = (one: Float32Array | undefined, other: Float32Array | undefined): number =>
  (one && other && cosine(one, other)) ?? 0
