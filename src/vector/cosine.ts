import { exactScore } from './metric.ts'

/** Cosine of the angle between two vectors of one length; null where either is all zeros: it is close to nothing. */
export function cosine(left: Float32Array, right: Float32Array): number | null {
  const score = exactScore('cosine', left, right)
  return Number.isNaN(score) ? null : score
}
