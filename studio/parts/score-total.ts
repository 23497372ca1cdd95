import type { Hit } from '../server/ask.ts'

/** The score that a hit was ranked by, before a reranker. */
export const totalOf = (parts: NonNullable<Hit['parts']>): number =>
  Object.values(parts).reduce((sum: number, part) => sum + (part ?? 0), 0)
