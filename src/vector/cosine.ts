import { closeness } from './metric.ts'

/** Cosine of the angle between two vectors of one length; null where either is all zeros. */
export function cosine(left: Float32Array, right: Float32Array): number | null {
  return closeness('cosine', left, right)
}
