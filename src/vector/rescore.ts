import type { Metric } from '../contract/retrieval.ts'
import type { Hit, SearchOptions, VectorImage } from './image.ts'
import { exactScore } from './metric.ts'

/** How many hits of an image to take where `k` are wanted in exact order. */
export const candidatesFor = (k: number): number => k + 50

/** Ranks ids by their exact vectors. Ids without a vector, or with a NaN score, are left out. */
export function rescore(
  query: Float32Array,
  ids: readonly number[],
  vectors: ReadonlyMap<number, Float32Array>,
  { k, metric = 'cosine' }: { k: number; metric?: Metric },
): Hit[] {
  return ids
    .flatMap((id) => {
      const vector = vectors.get(id)
      const score = vector ? exactScore(metric, query, vector) : Number.NaN
      return Number.isNaN(score) ? [] : { id, score }
    })
    .sort((left, right) => right.score - left.score || left.id - right.id)
    .slice(0, k)
}

/** Searches an image and ranks what it finds by the vectors that `exact` reads. */
export function searchExactly(
  image: VectorImage,
  query: Float32Array,
  { exact, ...options }: SearchOptions & { exact: (ids: number[]) => ReadonlyMap<number, Float32Array> },
): Hit[] {
  const ids = image.search(query, { ...options, k: candidatesFor(options.k) }).map(({ id }) => id)
  return rescore(query, ids, exact(ids), options)
}
