import { setImmediate } from 'node:timers/promises'
import {
  ExactBest,
  GROUPS,
  groupOf,
  queryVector,
  questionOf,
  textOf,
  vectorOf,
} from '../support/clustered.ts'
import { residentOf } from '../support/process-tree.ts'
import { quantile } from '../support/table.ts'
import type { Question, SearchEngine } from './engine.ts'
import { lancedb } from './lancedb.ts'
import { sluice } from './sluice.ts'
import { sqliteVec } from './sqlite-vec.ts'

/** Measures one engine in a process of its own: `child.ts ENGINE FOLDER ROWS [NAMESPACE]`; answers one line of JSON. */

export type Measured = {
  rowsPerSecond: number
  readySeconds: number
  firstMs: number
  vector: Times
  filtered: Times
  hybrid: Times | undefined
  recall: number
  recallFiltered: number
  megabytes: number
}

type Times = { p50: number; p99: number }

const BATCH = 500
const EXACT_QUERIES = 20
const WARM = 20
const TIMED = 300

const ENGINES: Record<string, (folder: string, namespace?: string) => Promise<SearchEngine>> = {
  sluice,
  'lancedb-flat': (folder) => lancedb(folder, false),
  'lancedb-hnsw': (folder) => lancedb(folder, true),
  'sqlite-vec': sqliteVec,
}

async function measure(engine: SearchEngine, rows: number): Promise<Measured> {
  const exact = new ExactBest(rows > 200_000 ? EXACT_QUERIES / 4 : EXACT_QUERIES, 10)
  let inserting = 0
  for (let from = 0; from < rows; from += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, rows - from) }, (_, at) => {
      const number = from + at
      return { number, vector: vectorOf(number), text: textOf(number), group: groupOf(number) }
    })
    for (const { number, vector } of batch) exact.take(number, vector)
    inserting += await timeOf(() => engine.insert(batch))
  }
  const ready = await timeOf(() => engine.ready())
  const first = await timeOf(() => engine.search({ vector: queryVector(1000) }))
  const ask = (question: (at: number) => Question) => timesOf((at) => engine.search(question(at)))
  const numbers = async (vector: Float32Array, group: number | undefined) =>
    (await engine.search({ vector, ...(group === undefined ? {} : { group }) })).map(({ number }) => number)
  return {
    rowsPerSecond: rows / (inserting / 1000),
    readySeconds: ready / 1000,
    firstMs: first,
    vector: await ask((at) => ({ vector: queryVector(at) })),
    filtered: await ask((at) => ({ vector: queryVector(at), group: at % GROUPS })),
    hybrid: engine.hybrid
      ? await ask((at) => ({ vector: queryVector(at), text: questionOf(at) }))
      : undefined,
    recall: await exact.recall(numbers, false),
    recallFiltered: await exact.recall(numbers, true),
    megabytes: residentOf(process.pid).own,
  }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

async function timesOf(work: (at: number) => Promise<unknown>): Promise<Times> {
  const times: number[] = []
  for (let at = 0; at < WARM + TIMED; at++) {
    const time = await timeOf(() => work(at))
    if (at >= WARM) times.push(time)
    await setImmediate()
  }
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) }
}

const [name = '', folder = '', rows = '', namespace] = process.argv.slice(2)
const engine = await ENGINES[name]!(folder, namespace)
console.log(JSON.stringify(await measure(engine, Number(rows))))
await engine.close()
