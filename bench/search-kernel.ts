import { Best } from '../src/vector/best.ts'
import { VectorImage } from '../src/vector/image.ts'
import { exactScore } from '../src/vector/metric.ts'
import { searchExactly } from '../src/vector/rescore.ts'
import { DIMENSIONS, vectorOf } from './support/clustered.ts'

/*
 * How long does a search of the vector image take, and what does it miss? 256 dimensions, top 10 by cosine, 50 candidates
 * ranked by their float32 vectors; all vectors or 1 % of them allowed. The peers, in the same run: a plain float32 loop over
 * the same vectors, and what no scan of int8 can beat, a search for a byte in as many bytes.
 */

const RECALL_QUERIES = 5
const TIMED_QUERIES = 200

export async function run(sizes: readonly number[] = [10_000, 100_000, 1_000_000]): Promise<void> {
  for (const size of sizes) measure(size)
}

function measure(size: number): void {
  const queries = Array.from({ length: TIMED_QUERIES }, (_, at) => vectorOf(-1 - at))
  const exactBest = queries.slice(0, RECALL_QUERIES).map(() => new Best(10))
  const exactAllowed = queries.slice(0, RECALL_QUERIES).map(() => new Best(10))
  const image = new VectorImage({ dimensions: DIMENSIONS })
  const memoryBefore = process.memoryUsage().rss
  let adding = 0
  let scanning = 0
  for (let id = 0; id < size; id++) {
    const vector = vectorOf(id)
    const start = performance.now()
    image.add(id, vector)
    const added = performance.now()
    for (const [at, best] of exactBest.entries()) {
      const score = exactScore('cosine', queries[at]!, vector)
      best.offer(id, score)
      if (isAllowed(id)) exactAllowed[at]!.offer(id, score)
    }
    adding += added - start
    scanning += performance.now() - added
  }
  const memory = process.memoryUsage().rss - memoryBefore
  console.log(`${size} × ${DIMENSIONS}`)
  console.log(
    `  add: ${Math.round(size / (adding / 1000))} vectors/s; ${Math.round(memory / size)} bytes a vector`,
  )
  console.log(`  plain float32 scan: ${(scanning / RECALL_QUERIES).toFixed(2)} ms a query`)
  const bytes = Buffer.alloc(size * DIMENSIONS, 1)
  const readings = Array.from({ length: 20 }, () => timeOf(() => bytes.indexOf(2)))
  console.log(`  reading as many bytes: p50 ${percentile(readings, 0.5)} ms`)
  const allowed = Array.from({ length: size / 100 }, (_, at) => at * 100)
  for (const [name, allow, exact] of [
    ['all', undefined, exactBest],
    ['1 %', allowed, exactAllowed],
  ] as const) {
    const search = (query: Float32Array) =>
      searchExactly(image, query, {
        k: 10,
        exact: (ids) => new Map(ids.map((id) => [id, vectorOf(id)])),
        ...(allow ? { allow } : {}),
      })
    const recall = exact.map((best, at) =>
      shareFound(
        best,
        search(queries[at]!).map(({ id }) => id),
      ),
    )
    const times = queries.map((query) =>
      timeOf(() => image.search(query, { k: 50, ...(allow ? { allow } : {}) })),
    )
    const mean = recall.reduce((sum, one) => sum + one, 0) / recall.length
    console.log(
      `  ${name}: p50 ${percentile(times, 0.5)} ms, p99 ${percentile(times, 0.99)} ms, recall@10 ${mean.toFixed(3)}`,
    )
  }
}

function timeOf(work: () => unknown): number {
  const start = performance.now()
  work()
  return performance.now() - start
}

function percentile(times: readonly number[], share: number): string {
  const sorted = times.toSorted((left, right) => left - right)
  return sorted[Math.floor(sorted.length * share)]!.toFixed(3)
}

const isAllowed = (id: number) => id % 100 === 0

function shareFound(best: Best, ids: number[]): number {
  const wanted = best.ranked()
  return wanted.filter(({ owner }) => ids.includes(owner)).length / wanted.length
}

if (import.meta.main) await run()
