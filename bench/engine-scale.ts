import { setTimeout as pause } from 'node:timers/promises'
import { createEgress } from '../src/kit/egress/client.ts'
import { createEgressRules } from '../src/kit/egress/rules.ts'
import type { Point } from '../src/contract/vector-engine.ts'
import type { IndexOptions } from '../src/stores/remote/index-options.ts'
import { engineServer } from '../src/stores/remote/engine-server.ts'
import { searchServerEngine } from '../src/stores/remote/search-server.ts'
import { type BareClient, bareClient } from './engines/bare-client.ts'
import { unit } from './engines/bench-chunks.ts'
import { openProduct } from './engines/product.ts'
import { DIMENSIONS, ExactBest, queryVector, vectorOf } from './support/clustered.ts'
import { languageQuestion, languageText } from './support/language.ts'
import { processorSeconds, residentOf } from './support/process-tree.ts'
import { median, printTable, quantile } from './support/table.ts'

const CHARACTERS = 800
const BATCH = 2000
const QUESTIONS = 100
const EXACT_QUESTIONS = 50
const K = 10
/** How many candidates a side gives to a query with the default settings. */
const LIMIT = 50
/** How long a call may take: what a busy node needs is measured, and ends no load. */
const PATIENCE_MS = 600_000
const COLLECTION = 'scale'
const PREFIX = 'bench'

/**
 * How much one node of a real OpenSearch or Elasticsearch carries: `BENCH_ROWS` points, 50,000 unless given, written by the adapter, with
 * `BENCH_SHARDS` parts (1) and `BENCH_VECTORS_AS` `full` or `int8` vectors. A row for each tenth of the load; then the merges, bytes, memory, recall@10
 * beside the exact scan, and p50 and p99 of questions as the load left the index.
 */
export async function run(): Promise<void> {
  const rows = Number(process.env.BENCH_ROWS ?? 50_000)
  const index: IndexOptions = {
    shards: Number(process.env.BENCH_SHARDS ?? 1),
    copies: 0,
    vectors: process.env.BENCH_VECTORS_AS === 'int8' ? 'int8' : 'full',
  }
  const { name, url, pid } = await openProduct()
  const bare = bareClient(url)
  const egress = createEgress({ rules: createEgressRules({ loopback: true }) })
  const server = engineServer({
    ...{ egress, provider: 'The engine', keyHint: 'Check the address', timeoutMs: PATIENCE_MS },
    open: async () => ({ baseURL: url, headers: {} }),
  })
  const engine = searchServerEngine({ server, name, indexPrefix: PREFIX, metric: 'cosine', index })
  const cpu = () => (pid === undefined ? Number.NaN : processorSeconds(pid))
  console.log(
    `${name}, ${rows.toLocaleString('en')} points × ${DIMENSIONS}, ${index.shards} shards, vectors ${index.vectors}`,
  )
  try {
    await engine.drop(COLLECTION)
    const exact = new ExactBest(EXACT_QUESTIONS, K)
    const tenths = { left: rows, began: cpu() }
    const table: (string | number)[][] = [['points', 'seconds', 'points/s', 'CPU µs of the engine a point']]
    for (let tenth = 1; tenth <= 10; tenth++) {
      const to = Math.round((rows * tenth) / 10)
      const from = Math.round((rows * (tenth - 1)) / 10)
      const [engineBefore, began] = [cpu(), performance.now()]
      let made = 0
      for (let at = from; at < to; at += BATCH) {
        const making = performance.now()
        const points = Array.from({ length: Math.min(BATCH, to - at) }, (_, n) => pointOf(at + n))
        for (const { id, vector } of points) exact.take(Number(id), vector)
        made += performance.now() - making
        await engine.upsert(COLLECTION, points, { later: true })
      }
      const seconds = (performance.now() - began - made) / 1000
      table.push([to, seconds, (to - from) / seconds, micros(cpu() - engineBefore, to - from)])
    }
    const refreshing = performance.now()
    await engine.refresh!(COLLECTION)
    const refreshed = (performance.now() - refreshing) / 1000
    const merging = performance.now()
    while ((await bare.merges()) > 0) await pause(1000)
    printTable(table)
    const { bytes, segments } = await sizeOf(bare)
    const nodes = await memoryOf(bare)
    const findIds = async (vector: Float32Array) => {
      const found = await engine.search(COLLECTION, { vector, metric: 'cosine', limit: LIMIT })
      const best = found.toSorted((one, other) => other.vectorScore! - one.vectorScore!)
      return best.slice(0, K).map(({ id }) => Number(id))
    }
    const recall = await exact.recall((vector) => findIds(vector), false)
    const times = {
      vector: await timesOf((at) => ({ vector: queryVector(at) })),
      words: await timesOf((at) => ({ text: languageQuestion(at) })),
      hybrid: await timesOf((at) => ({ vector: queryVector(at), text: languageQuestion(at) })),
    }
    console.log()
    printTable([
      ['after the load', ''],
      ['refresh, s', refreshed],
      ['merges after it, s', (performance.now() - merging) / 1000],
      ['CPU µs of the engine a point, merges included', micros(cpu() - tenths.began, rows)],
      ['segments', segments],
      ['bytes a point', bytes / rows],
      ['heap used, MB', nodes.heap / 1e6],
      ...(pid === undefined
        ? []
        : [['memory of the process, MB', residentOf(pid).own] as (string | number)[]]),
      ['recall@10', recall],
      ...Object.entries(times).map(([kind, all]) => [
        `p50 / p99 by ${kind}, ms`,
        `${median(all).toFixed(1)} / ${quantile(all, 0.99).toFixed(1)}`,
      ]),
    ])

    async function timesOf(request: (at: number) => { vector?: Float32Array; text?: string }) {
      const all: number[] = []
      for (let at = 0; at < QUESTIONS; at++) {
        const began = performance.now()
        await engine.search(COLLECTION, { ...request(at), metric: 'cosine', limit: LIMIT })
        all.push(performance.now() - began)
      }
      return all
    }
  } finally {
    await engine.drop(COLLECTION)
    await egress.close()
  }
}

const micros = (seconds: number, points: number) => (seconds * 1e6) / points

function pointOf(number: number): Point {
  return {
    id: String(number),
    vector: unit(vectorOf(number)),
    text: languageText(number, CHARACTERS),
    metadata: { source: `file-${Math.floor(number / 100)}.txt`, year: 2000 + (number % 25) },
  }
}

async function sizeOf(bare: BareClient): Promise<{ bytes: number; segments: number }> {
  const { _all } = (await bare.call('GET', `/${PREFIX}*/_stats/store,segments`)) as {
    _all: { primaries: { store: { size_in_bytes: number }; segments: { count: number } } }
  }
  return { bytes: _all.primaries.store.size_in_bytes, segments: _all.primaries.segments.count }
}

async function memoryOf(bare: BareClient): Promise<{ heap: number }> {
  const { nodes } = (await bare.call('GET', '/_nodes/stats/jvm')) as {
    nodes: Record<string, { jvm: { mem: { heap_used_in_bytes: number } } }>
  }
  return { heap: Math.max(...Object.values(nodes).map(({ jvm }) => jvm.mem.heap_used_in_bytes)) }
}
