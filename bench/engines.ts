import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { ChunkStore } from '../src/contract/chunk-store.ts'
import { elasticsearch, FIELDS, openSearch } from '../src/stores/remote/search-dialects.ts'
import { type BareClient, bareClient } from './engines/bare-client.ts'
import { benchChunks } from './engines/bench-chunks.ts'
import { type OurClient, ourClient } from './engines/our-client.ts'
import { openProduct, type Product } from './engines/product.ts'
import { until } from '../test/support/until.ts'
import { DIMENSIONS, queryVector } from './support/clustered.ts'
import { languageQuestion } from './support/language.ts'
import { processorSeconds } from './support/process-tree.ts'
import { median, printTable } from './support/table.ts'

const WARM_CHUNKS = 2000
const QUERIES = 100
const WARM_QUERIES = 20
/** How many candidates a side gives to a query with the default settings. */
const LIMIT = 50

type Axes = Record<
  'seconds' | 'ourMicros' | 'engineMicros' | 'bytes' | 'vectorMs' | 'wordsMs' | 'hybridMs',
  number
>

const AXES: Record<keyof Axes, string> = {
  seconds: 'seconds to load',
  ourMicros: 'CPU µs of this process a chunk',
  engineMicros: 'CPU µs of the engine a chunk',
  bytes: 'bytes a chunk in the index',
  vectorMs: 'p50 ms by vector',
  wordsMs: 'p50 ms by words',
  hybridMs: 'p50 ms by both',
}

/**
 * Sluice over a real OpenSearch beside a bare client that sends the same documents to the same mapping, in turn, after a load of both
 * that does not count. `BENCH_ROWS` chunks, 20,000 unless given, `BENCH_ROUNDS` times (3), each time into new indexes; of the rounds
 * the median. The first is ours, then the bare client's, then the other way around. With `BENCH_ENGINE=elasticsearch` over Elasticsearch; with `BENCH_ENGINE_URL` over a server that runs, whose processor
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
    const measureOurs = async (round: number) => {
      const store = ours.open(`round-${round}`)
      const known = new Set(await indexNames(bare))
      const load = await measureLoad({ product, bare, rows }, () => ours.load(store, chunks))
      const index = (await indexNames(bare)).find((name) => !known.has(name))!
      const bytes = (await merged(bare, index)) / rows
      const queries = await measureQueries((kind, at) => askOurs(store, kind, at))
      measured.ours.push({ ...load, bytes, ...queries })
      await store.drop()
    }
    const measureBare = async (round: number) => {
      const index = `bench-bare-${round}`
      await copyIndex(bare, first, index)
      const load = await measureLoad({ product, bare, rows }, () => bare.load(index, chunks))
      const bytes = (await merged(bare, index)) / rows
      const queries = await measureQueries((kind, at) => bare.search(index, searches[kind](at)))
      measured.bare.push({ ...load, bytes, ...queries })
      await bare.call('DELETE', `/${index}`)
    }
    for (let round = 1; round <= rounds; round++) {
      const both = [measureOurs, measureBare]
      for (const measure of round % 2 === 1 ? both : both.toReversed()) await measure(round)
    }
    print(`${rows} chunks × ${DIMENSIONS}, ${product.name}`, measured)
  } finally {
    await dropAll(ours, bare)
    await ours.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Kind = 'vector' | 'words' | 'hybrid'

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
  await until(async () => (await mergesOf(bare)) === 0, 'the end of the merges')
  const engineSeconds = pid === undefined ? Number.NaN : processorSeconds(pid) - engine
  return { seconds, ourMicros: (user + system) / rows, engineMicros: (engineSeconds * 1e6) / rows }
}

async function mergesOf(bare: BareClient): Promise<number> {
  const { _all } = (await bare.call('GET', '/_stats/merge')) as {
    _all: { total: { merges: { current: number } } }
  }
  return _all.total.merges.current
}

async function measureQueries(ask: (kind: Kind, at: number) => Promise<unknown>) {
  const p50 = async (kind: Kind) => {
    const times: number[] = []
    for (let at = 0; at < WARM_QUERIES + QUERIES; at++) {
      const began = performance.now()
      await ask(kind, at)
      if (at >= WARM_QUERIES) times.push(performance.now() - began)
    }
    return median(times)
  }
  return { vectorMs: await p50('vector'), wordsMs: await p50('words'), hybridMs: await p50('hybrid') }
}

const askOurs = (store: ChunkStore, kind: Kind, at: number) =>
  store.search({
    limit: LIMIT,
    ...(kind === 'words' ? {} : { vector: queryVector(at) }),
    ...(kind === 'vector' ? {} : { text: languageQuestion(at) }),
  })

/** What a program asks by hand: ids only, as ours. */
async function bareSearches(bare: BareClient): Promise<Record<Kind, (at: number) => object[]>> {
  const { version } = (await bare.call('GET', '/')) as { version: { number: string; distribution?: string } }
  const isOpenSearch = version.distribution === 'opensearch'
  const dialect = isOpenSearch ? openSearch(version.number) : elasticsearch(version.number)
  const common = { size: LIMIT, _source: false }
  const near = (at: number) => ({
    ...common,
    ...dialect.knn({ vector: Array.from(queryVector(at)), limit: LIMIT, filter: undefined }),
  })
  const worded = (at: number) => ({
    ...common,
    query: { match: { [FIELDS.text]: { query: languageQuestion(at) } } },
  })
  return {
    vector: (at) => [near(at)],
    words: (at) => [worded(at)],
    hybrid: (at) => [near(at), worded(at)],
  }
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
