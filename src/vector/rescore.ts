import type { Hit, SearchOptions, VectorImage } from './image.ts'
import { exactScore, type Metric } from './metric.ts'

/** How many hits of an image to take where `k` are wanted in exact order. */
export const candidatesFor = (k: number): number => Math.max(50, 4 * k)

/** Ranks ids by their vectors themselves; `vectors` are theirs, in the same order. NaN scores fall out. */
export function rescore(
  query: Float32Array,
  ids: readonly number[],
  vectors: readonly Float32Array[],
  { k, metric = 'cosine' }: { k: number; metric?: Metric },
): Hit[] {
  return ids
    .map((id, place) => ({ id, score: exactScore(metric, query, vectors[place]!) }))
    .filter(({ score }) => !Number.isNaN(score))
    .sort((left, right) => right.score - left.score || left.id - right.id)
    .slice(0, k)
}

/** Searches an image and ranks what it finds by the vectors that `exact` reads, one for each id. */
export function searchExactly(
  image: VectorImage,
  query: Float32Array,
  { exact, ...options }: SearchOptions & { exact: (ids: number[]) => Float32Array[] },
): Hit[] {
  const ids = image.search(query, { ...options, k: candidatesFor(options.k) }).map(({ id }) => id)
  return rescore(query, ids, exact(ids), options)
}
