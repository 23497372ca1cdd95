import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Best } from '../src/vector/best.ts'
import { VectorImage, candidatesFor } from '../src/vector/image.ts'
import { readImageFile, writeImageFile } from '../src/vector/image-file.ts'
import { exactScore } from '../src/vector/metric.ts'
import { ScanThreads } from '../src/vector/scan-threads.ts'
import { printTable, quantile } from './support/table.ts'

/*
 * Large images alone, without a database: memory, p50, p99 and recall@10 of searches, and how long the file is written and
 * read. The vectors are centres with noise of the same size, computed from their numbers: nearly all of the 5,000 vectors of
 * a centre are equally close at 10,000,000, which is harder than texts. `BENCH_VECTORS=10000000x256` measures one size.
 */

const SIZES: readonly (readonly [rows: number, dimensions: number])[] = [
  [1_000_000, 256],
  [1_000_000, 768],
  [1_000_000, 1536],
]
const K = 10
const CENTRES = 2000
const EXACT_QUERIES = 6
const TIMED_QUERIES = 60
/** Vectors that are added in one turn of the event loop. */
const TURN = 500

export async function run(): Promise<void> {
  const asked = process.env.BENCH_VECTORS?.split('x').map(Number)
  const rows: (string | number)[][] = [
    [
      'rows × dimensions',
      ...['added/s', 'p50 ms', 'p99 ms', 'CPU ms', 'recall@10', 'resident MB'],
      ...['file MB', 'written s', 'read s', 'longest block ms: adding', 'writing', 'reading'],
    ],
  ]
  for (const [count, dimensions] of asked ? [[asked[0]!, asked[1]!] as const] : SIZES)
    rows.push(await measure(count, dimensions))
  printTable(rows)
}

async function measure(count: number, dimensions: number): Promise<(string | number)[]> {
  const threads = new ScanThreads()
  const image = new VectorImage({ dimensions, threads })
  const vectors = clustered(dimensions)
  const queries = Array.from({ length: EXACT_QUERIES }, (_, at) => vectors(count + at * 31).slice())
  const best = queries.map(() => new Best(K))
  const block = blocks()
  let adding = 0
  for (let id = 0; id < count; id++) {
    if (id % TURN === 0) await setImmediate()
    const vector = vectors(id)
    const began = performance.now()
    image.add(id, vector)
    adding += performance.now() - began
    for (const [at, query] of queries.entries()) best[at]!.offer(id, exactScore('cosine', query, vector))
  }
  const blockAdding = block()
  const search = async (query: Float32Array) => {
    const options = { k: candidatesFor(K) }
    return (await image.searchAside(query, options)) ?? image.search(query, options)
  }
  let found = 0
  for (const [at, query] of queries.entries()) {
    const ids = new Set((await search(query)).map(({ id }) => id))
    found += best[at]!.ranked().filter(({ owner }) => ids.has(owner)).length
  }
  const times: number[] = []
  const before = process.cpuUsage()
  for (let at = 0; at < TIMED_QUERIES; at++) {
    const query = vectors(count + 1000 + at).slice()
    const began = performance.now()
    await search(query)
    times.push(performance.now() - began)
  }
  const { user, system } = process.cpuUsage(before)
  const resident = process.memoryUsage().rss / 1e6
  const files = await measureFile(image)
  image.close()
  return [
    `${count.toLocaleString('en')} × ${dimensions}`,
    ...[count / (adding / 1000), quantile(times, 0.5), quantile(times, 0.99)],
    ...[(user + system) / 1000 / TIMED_QUERIES, found / EXACT_QUERIES / K, resident],
    ...[files.megabytes, files.written, files.read, blockAdding, files.blockWriting, files.blockReading],
  ]
}

async function measureFile(image: VectorImage) {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-bench-'))
  const file = path.join(folder, 'image')
  const facts = { index: 1, token: 'bench', run: 1 }
  try {
    const block = blocks()
    const began = performance.now()
    const { signal } = new AbortController()
    const made = await writeImageFile(file, image, {
      ...{ index: facts.index, token: () => facts.token, before: undefined, signal },
      changed: new Set(image.slots.blocks.keys()),
      atRest: async (take) => take(facts.run),
    })
    const written = performance.now()
    const blockWriting = block()
    const blockOfReading = blocks()
    const read = await readImageFile(file, made!.state.trailer.at, facts, undefined)
    if (read?.image.size !== image.size) throw new Error('the file could not be read')
    return {
      megabytes: statSync(file).size / 1e6,
      written: (written - began) / 1000,
      read: (performance.now() - written) / 1000,
      blockWriting,
      blockReading: blockOfReading(),
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Measures the longest block of the event loop until it is called, in milliseconds. */
function blocks(): () => number {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  return () => {
    delay.disable()
    return delay.max / 1e6
  }
}

/** Vectors by their numbers, in one array that is used again. */
function clustered(dimensions: number): (number: number) => Float32Array {
  let state = 12_345
  const random = () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state / 2 ** 31
  }
  const centres = Float32Array.from({ length: CENTRES * dimensions }, random)
  const noise = Float32Array.from({ length: 2 ** 24 }, random)
  const vector = new Float32Array(dimensions)
  return (number) => {
    const mixed = (Math.imul(number, 2_246_822_519) ^ (number >>> 7)) >>> 0
    const centre = (mixed % CENTRES) * dimensions
    const start = (Math.imul(number, 2_654_435_761) >>> 0) % (noise.length - dimensions)
    for (let at = 0; at < dimensions; at++) vector[at] = centres[centre + at]! + noise[start + at]!
    return vector
  }
}

if (import.meta.main) await run()
