import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { StorePart } from '../src/contract/card.ts'
import type { Metadata } from '../src/contract/document.ts'
import type { Embedder } from '../src/contract/embedder.ts'
import type { Loader } from '../src/contract/loader.ts'
import { openDatabase } from '../src/db/sqlite/database.ts'
import { quietLog } from '../src/kit/log.ts'
import { createKeyedQueue } from '../src/kit/keyed-queue.ts'
import { builtInStores } from '../src/stores/built-in.ts'
import { createUpsertEngine } from '../src/upsert/engine.ts'
import { printTable } from './support/table.ts'

const counts = (name: string, usual: string): number[] => (process.env[name] ?? usual).split(',').map(Number)

/** An embedder without cost: only the ledger, the store and the publication are measured. */
const freeEmbedder = (): Embedder => {
  const vector = new Float32Array(64).fill(1 / 8)
  return {
    id: 'free',
    dimensions: 64,
    limits: { texts: 1024, bytes: 4_000_000 },
    concurrency: 2,
    embed: async (texts) => texts.map(() => vector),
    embedQuery: async () => vector,
  }
}

type Item = { name: string; rows: { text: string; metadata: Metadata }[] }

/** A loader that fetches its items, as one of an API or a web site does. */
const listLoader = (items: readonly Item[]): Loader => ({
  id: 'list',
  shapeMetadata: (own, added) => ({ ...own, ...added }),
  async *items() {
    for (const { name, rows } of items)
      yield {
        name,
        source: name,
        async *read() {
          for (let at = 0; at < rows.length; at += 1000)
            yield {
              parts: rows
                .slice(at, at + 1000)
                .map(({ text, metadata }) => ({ pageContent: text, metadata, last: true })),
              notes: [],
            }
        },
      }
  },
})

/** One upsert over the real store, durable writes, text index on; then the same again, and all of it changed. */
export async function run(): Promise<void> {
  const directory = mkdtempSync(path.join(tmpdir(), 'sluice-bench-'))
  try {
    const table: (string | number)[][] = [
      ['items', 'rows each', 'run', 'added', 'updated', 'skipped', 'seconds', 'µs a row', 'longest block ms'],
    ]
    for (const sources of counts('BENCH_SOURCES', '5000,10000,19000,100000'))
      await measure(directory, table, sources, (version) =>
        Array.from({ length: sources }, (_, i) => ({
          name: `source ${i}`,
          rows: [{ text: `Record ${i}, as it was written down`, metadata: { version } }],
        })),
      )
    for (const rows of counts('BENCH_EQUAL', '5000,10000,100000'))
      await measure(directory, table, 1, (version) => [
        {
          name: 'table',
          rows: Array.from({ length: rows }, (_, row) => ({ text: 'a: 1', metadata: { row, version } })),
        },
      ])
    printTable(table)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function measure(
  directory: string,
  table: (string | number)[][],
  items: number,
  make: (version: number) => Item[],
): Promise<void> {
  const database = openDatabase(mkdtempSync(path.join(directory, 'run-')))
  const engine = createUpsertEngine({ namespaceQueue: createKeyedQueue(), log: quietLog })
  const stores = builtInStores(database)
  for (const [name, version] of [
    ['first', 1],
    ['the same again', 1],
    ['metadata changed', 2],
  ] as const) {
    const list = make(version)
    const part: StorePart = {
      store: stores.open('bench'),
      embedder: freeEmbedder(),
      loaders: [listLoader(list)],
      recordManager: { cleanup: 'incremental', sourceIdKey: 'source' },
      retrieval: { topK: 4, searchType: 'similarity' },
    }
    const options = {
      strict: false,
      dryRun: false,
      confirmFullCleanup: false,
      returnSourceDocuments: false,
      addMetadata: {},
    }
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    const began = performance.now()
    const result = await engine.upsert({ part, options, warnings: [] }, AbortSignal.timeout(900_000))
    const seconds = (performance.now() - began) / 1000
    await engine.idle()
    delay.disable()
    const rows = list[0]!.rows.length
    const { numAdded, numUpdated, numSkipped } = result
    table.push([
      items,
      rows,
      name,
      numAdded,
      numUpdated,
      numSkipped,
      seconds,
      (seconds * 1e6) / (items * rows),
      delay.max / 1e6,
    ])
  }
  await database.close()
}

if (import.meta.main) await run()
