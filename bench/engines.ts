import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { type BareClient, bareClient } from './engines/bare-client.ts'
import { benchChunks } from './engines/bench-chunks.ts'
import { type OurClient, ourClient } from './engines/our-client.ts'
import { openProduct, type Product } from './engines/product.ts'
import { askOurs, bareSearches, SEARCH_KINDS, type SearchKind } from './engines/searches.ts'
import { until } from '../test/support/until.ts'
import { DIMENSIONS } from './support/clustered.ts'
import { processorSeconds } from './support/process-tree.ts'
import { median, printTable } from './support/table.ts'

const WARM_CHUNKS = 2000
const QUERIES = 100
const WARM_QUERIES = 20
/** How many queries one of both makes before the other does. */
const QUERIES_A_TURN = 10

type LoadAxes = Record<'seconds' | 'ourMicros' | 'engineMicros' | 'bytes', number>
type QueryAxes = Record<`${SearchKind}${'Ms' | 'Cpu'}` | 'bothHalves' | 'firstMs', number>
type Axes = LoadAxes & QueryAxes

const AXES: Record<keyof Axes, string> = {
  seconds: 'seconds to load',
  ourMicros: 'CPU µs of this process a chunk',
  engineMicros: 'CPU µs of the engine a chunk',
  bytes: 'bytes a chunk in the index',
  vectorMs: 'p50 ms by vector',
  wordsMs: 'p50 ms by words',
  hybridMs: 'p50 ms by both',
  vectorCpu: 'CPU ms of the engine, by vector',
  wordsCpu: 'CPU ms of the engine, by words',
  hybridCpu: 'CPU ms of the engine, by both',
  bothHalves: 'the same ÷ of both halves',
  firstMs: 'ms of the first query of a process',
}

/**
 * Sluice over a real OpenSearch beside a bare client that sends the same documents to the same mapping, in turn, after a load of both
 * that does not count. `BENCH_ROWS` chunks, 20,000 unless given, `BENCH_ROUNDS` times (3), each time into new indexes; of the rounds
 * the median. The first is ours, then the bare client's, then the other way around; queries are asked in turns of ten. With `BENCH_ENGINE=elasticsearch` over Elasticsearch; with `BENCH_ENGINE_URL` over a server that runs, whose processor
 * time is not known then. Vectors are given; what is measured of ours is the stager, the ledger and the engine.
 */
export async function run(): Promise<void> {
  const rows = Number(process.env.BENCH_ROWS ?? 20_000)
  const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
  const product = await openProduct()
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-bench-'))
  const ours = ourClient(product.url, folder)
  const bare = bareClient(product.url)
  const measured: { ours: Axes[]; bare: Axes[] } = { ours: [], bare: [] }
  try {
    const chunks = benchChunks(rows)
    const searches = await bareSearches(bare)
    await ours.load(ours.open('warm'), chunks.slice(0, WARM_CHUNKS))
    const first = await ourIndex(bare)
    await copyIndex(bare, first, 'bench-bare-warm')
    await bare.load('bench-bare-warm', chunks.slice(0, WARM_CHUNKS))
    const bytesOf = async (index: string) => (await merged(bare, index)) / rows
    for (let round = 1; round <= rounds; round++) {
      const [store, index] = [ours.open(`round-${round}`), `bench-bare-${round}`]
      const known = new Set(await indexNames(bare))
      const loads = {
        ours: () => ours.load(store, chunks),
        bare: async () => {
          await copyIndex(bare, first, index)
          await bare.load(index, chunks)
        },
      }
      const loaded: Partial<Record<Side, Omit<LoadAxes, 'bytes'>>> = {}
      for (const side of round % 2 === 1 ? SIDES : SIDES.toReversed())
        loaded[side] = await measureLoad({ product, bare, rows }, loads[side])
      const own = (await indexNames(bare)).find((name) => !known.has(name) && name !== index)!
      const bytes = { ours: await bytesOf(own), bare: await bytesOf(index) }
      const queries = await measureQueries(product, {
        ours: (kind, at) => askOurs(store, kind, at),
        bare: (kind, at) => bare.search(index, searches[kind](at)),
      })
      const firstMs = {
        ours: await firstQuery('ours', product.url, folder, store.namespace),
        bare: await firstQuery('bare', product.url, index),
      }
      for (const side of SIDES)
        measured[side].push({
          ...loaded[side]!,
          bytes: bytes[side],
          ...queries[side],
          firstMs: firstMs[side],
        })
      await store.drop()
      await bare.call('DELETE', `/${index}`)
    }
    print(`${rows} chunks × ${DIMENSIONS}, ${product.name}`, measured)
  } finally {
    await dropAll(ours, bare)
    await ours.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const SIDES = ['ours', 'bare'] as const
type Side = (typeof SIDES)[number]

const indexNames = async (bare: BareClient): Promise<string[]> =>
  Object.keys((await bare.call('GET', '/bench-*/_alias')) as object).sort()

const ourIndex = async (bare: BareClient): Promise<string> =>
  (await indexNames(bare)).find((name) => !name.startsWith('bench-bare'))!

/** Makes an index with the mapping and the settings of another one. */
async function copyIndex(bare: BareClient, from: string, to: string): Promise<void> {
  const found = (await bare.call('GET', `/${from}`)) as Record<
    string,
    { mappings: object; settings: { index: Record<string, unknown> } }
  >
  const { mappings, settings } = found[from]!
  const { uuid, version, creation_date, provided_name, routing, ...index } = settings.index
  await bare.call('PUT', `/${to}`, { mappings, settings: { index } })
}

/** The bytes of an index when it is one segment, without what is deleted. */
async function merged(bare: BareClient, index: string): Promise<number> {
  await bare.call('POST', `/${index}/_forcemerge?max_num_segments=1`)
  // Searches of before keep the merged segments.
  await bare.call('POST', `/${index}/_refresh`)
  await bare.call('POST', `/${index}/_flush?force=true`)
  const { _all } = (await bare.call('GET', `/${index}/_stats/store`)) as {
    _all: { primaries: { store: { size_in_bytes: number } } }
  }
  return _all.primaries.store.size_in_bytes
}

/** The processor time of the engine ends with its merges, the rest with the load. */
async function measureLoad(
  { product: { pid }, bare, rows }: { product: Product; bare: BareClient; rows: number },
  load: () => Promise<void>,
) {
  const engine = pid === undefined ? Number.NaN : processorSeconds(pid)
  const cpu = process.cpuUsage()
  const began = performance.now()
  await load()
  const seconds = (performance.now() - began) / 1000
  const { user, system } = process.cpuUsage(cpu)
  await until(async () => (await bare.merges()) === 0, 'the end of the merges')
  const engineSeconds = pid === undefined ? Number.NaN : processorSeconds(pid) - engine
  return { seconds, ourMicros: (user + system) / rows, engineMicros: (engineSeconds * 1e6) / rows }
}

type Ask = (kind: SearchKind, at: number) => Promise<unknown>

/** Both ask the same questions, a few at a time in turns. */
async function measureQueries(
  { pid }: Product,
  ask: Record<Side, Ask>,
): Promise<Record<Side, Omit<QueryAxes, 'firstMs'>>> {
  const cpuNow = () => (pid === undefined ? Number.NaN : 1000 * processorSeconds(pid))
  const found = { ours: {}, bare: {} } as Record<Side, Omit<QueryAxes, 'firstMs'>>
  for (const kind of SEARCH_KINDS) {
    const times: Record<Side, number[]> = { ours: [], bare: [] }
    const cpu: Record<Side, number> = { ours: 0, bare: 0 }
    for (let from = 0; from < WARM_QUERIES + QUERIES; from += QUERIES_A_TURN)
      for (const side of SIDES) {
        const before = cpuNow()
        for (let at = from; at < from + QUERIES_A_TURN; at++) {
          const began = performance.now()
          await ask[side](kind, at)
          if (from >= WARM_QUERIES) times[side].push(performance.now() - began)
        }
        if (from >= WARM_QUERIES) cpu[side] += cpuNow() - before
      }
    for (const side of SIDES) {
      found[side][`${kind}Ms`] = median(times[side])
      found[side][`${kind}Cpu`] = cpu[side] / QUERIES
    }
  }
  for (const one of Object.values(found)) one.bothHalves = one.hybridCpu / (one.vectorCpu + one.wordsCpu)
  return found
}

/** In a process of its own, which loads its modules before. */
async function firstQuery(...request: string[]): Promise<number> {
  const program = path.join(import.meta.dirname, 'engines/first-query.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...request])
  return Number(stdout)
}

async function dropAll(ours: OurClient, bare: BareClient): Promise<void> {
  await ours.open('warm').drop()
  for (const name of await indexNames(bare)) await bare.call('DELETE', `/${name}`)
}

/** All axes, those where ours is worst beside the bare client first. */
function print(title: string, { ours, bare }: { ours: Axes[]; bare: Axes[] }): void {
  const of = (all: Axes[], axis: keyof Axes) => median(all.map((one) => one[axis]))
  const rows = (Object.keys(AXES) as (keyof Axes)[]).map((axis) => {
    const [own, other] = [of(ours, axis), of(bare, axis)]
    return { axis: AXES[axis], own, other, ratio: own / other }
  })
  const shown = (value: number) => (Number.isNaN(value) ? 'unknown' : value)
  rows.sort((one, other) => (other.ratio || 0) - (one.ratio || 0))
  printTable([
    [title, 'Sluice', 'bare', 'ratio'],
    ...rows.map(({ axis, own, other, ratio }) => [axis, shown(own), shown(other), shown(ratio)]),
  ])
}
