import { cosine } from './cosine.ts'

/** A candidate with its vector and how well it answers, larger is better. */
export type Scored = { vector: Float32Array; score: number }

export type DiversityOptions = {
  /** How many to choose. */
  k: number
  /** 1 asks for relevance alone, 0 for difference alone. */
  lambda?: number
  /** How many of the best to choose from. */
  fetchK?: number
}

/**
 * Chooses candidates one by one, each time the one with the most `lambda` × score - (1 - `lambda`) × cosine to the closest
 * of those already chosen: maximal marginal relevance (Carbonell, Goldstein, 1998). Scores should be of the size of a
 * cosine. The result is in the order of choice.
 */
export function chooseDiverse<Candidate extends Scored>(
  candidates: readonly Candidate[],
  { k, lambda = 0.5, fetchK = 20 }: DiversityOptions,
): Candidate[] {
  let left = [...candidates]
    .sort((one, other) => other.score - one.score)
    .slice(0, Math.max(k, fetchK))
    .map((candidate) => ({ candidate, closest: 0 }))
  const chosen: Candidate[] = []
  while (chosen.length < k && left.length > 0) {
    const gain = ({ candidate, closest }: (typeof left)[number]) =>
      lambda * candidate.score - (1 - lambda) * closest
    const next = left.reduce((best, one) => (gain(one) > gain(best) ? one : best))
    chosen.push(next.candidate)
    left = left
      .filter((one) => one !== next)
      .map(({ candidate, closest }) => {
        const similarity = cosine(candidate.vector, next.candidate.vector) ?? 0
        return { candidate, closest: chosen.length === 1 ? similarity : Math.max(closest, similarity) }
      })
  }
  return chosen
}

/**
 * Leaves out a candidate that says the same as one before it: the cosine of their vectors is at least `threshold`. What
 * has no vector, or one of zeros, stays.
 */
export function withoutNearDuplicates<Candidate extends { vector?: Float32Array }>(
  candidates: readonly Candidate[],
  threshold = 0.98,
): Candidate[] {
  const kept: Candidate[] = []
  for (const candidate of candidates) {
    const { vector } = candidate
    const repeats = kept.some((one) => vector && one.vector && (cosine(vector, one.vector) ?? 0) >= threshold)
    if (!repeats) kept.push(candidate)
  }
  return kept
}
