import { setImmediate } from 'node:timers/promises'
import { type SearchOptions, VectorImage, candidatesFor, rescore } from '../src/vector/image.ts'
import { ScanThreads } from '../src/vector/scan-threads.ts'
import { DIMENSIONS, ExactBest, GROUPS, queryVector, vectorOf } from './support/clustered.ts'
import { printTable, quantile } from './support/table.ts'

/*
 * How long does a search of the vector image take, and what does it miss? 256 dimensions, the ten best by cosine among
 * candidates that are ranked by their float32 vectors; by the codes alone or by signs first, on the asking thread or by threads,
 * all vectors or 1 % of them. The peers, in the same run: a plain loop over the same vectors, and what no scan of int8
 * can beat, a search for a byte in as many bytes.
 */

const K = 10
const RECALL_QUERIES = 20
const TIMED_QUERIES = 100
const READINGS = 20

const threads = new ScanThreads()

export async function run(sizes: readonly number[] = [10_000, 100_000, 1_000_000]): Promise<void> {
  for (const size of sizes) await measure(size)
}

async function measure(size: number): Promise<void> {
  const queries = size > 200_000 ? RECALL_QUERIES / 4 : RECALL_QUERIES
  const exact = new ExactBest(queries, K)
  const before = process.memoryUsage().rss
  const images = {
    codes: new VectorImage({ dimensions: DIMENSIONS, signsFrom: Infinity, threads, threadedFrom: 0 }),
    signs: new VectorImage({ dimensions: DIMENSIONS, signsFrom: 0, threads, threadedFrom: 0 }),
  }
  let adding = 0
  let comparing = 0
  for (let id = 0; id < size; id++) {
    const vector = vectorOf(id)
    const start = performance.now()
    images.codes.add(id, vector)
    images.signs.add(id, vector)
    const added = performance.now()
    exact.take(id, vector)
    adding += added - start
    comparing += performance.now() - added
  }
  const memory = (process.memoryUsage().rss - before) / 2
  const bytes = Buffer.alloc(size * DIMENSIONS, 1)
  const readings = await timesOf(READINGS, () => bytes.indexOf(2))
  const rows: (string | number)[][] = [
    [`${size.toLocaleString('en')} × ${DIMENSIONS}`, 'p50 ms', 'p99 ms', 'recall@10'],
    ['a plain loop over float32', comparing / queries, '', 1],
    ['reading as many bytes', quantile(readings, 0.5), '', ''],
  ]
  const group = Array.from({ length: GROUPS }, (_, one) => {
    return new Set(Array.from({ length: size / GROUPS }, (_, at) => at * GROUPS + one))
  })
  for (const [name, image, aside, grouped] of [
    ['codes', images.codes, false, false],
    ['codes, by threads', images.codes, true, false],
    ['signs, then codes', images.signs, false, false],
    ['signs, then codes, by threads', images.signs, true, false],
    ['codes of 1 %', images.codes, false, true],
  ] as const) {
    const search = async (query: Float32Array, at: number | undefined) => {
      const options: SearchOptions = {
        k: candidatesFor(K),
        ...(at === undefined ? {} : { allow: group[at]! }),
      }
      return (aside && (await image.searchAside(query, options))) || image.search(query, options)
    }
    const times = await timesOf(TIMED_QUERIES, (at) =>
      search(queryVector(at), grouped ? at % GROUPS : undefined),
    )
    const recall = await exact.recall(async (query, at) => {
      const ids = (await search(query, at)).map(({ id }) => id)
      const vectors = new Map(ids.map((id) => [id, vectorOf(id)]))
      return rescore(query, ids, vectors, { k: K }).map(({ id }) => id)
    }, grouped)
    rows.push([name, quantile(times, 0.5), quantile(times, 0.99), recall])
  }
  printTable(rows)
  console.log(
    `added: ${Math.round((2 * size) / (adding / 1000)).toLocaleString('en')} vectors/s, ${Math.round(memory / size)} bytes each\n`,
  )
  images.codes.close()
  images.signs.close()
}

async function timesOf(count: number, work: (at: number) => unknown): Promise<number[]> {
  const times: number[] = []
  for (let at = 0; at < count; at++) {
    const start = performance.now()
    await work(at)
    times.push(performance.now() - start)
    await setImmediate()
  }
  return times
}

if (import.meta.main) await run()
