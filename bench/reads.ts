import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Backend } from '../src/backend/backend.ts'
import type { Ledger } from '../src/contract/ledger.ts'
import { readConfig } from '../src/kit/config.ts'
import { quietLog } from '../src/kit/log.ts'
import { parseFilter } from '../src/vector/filter.ts'
import { flowRow } from '../test/contract/repositories.ts'
import { newChunk, publication } from '../test/contract/ledger-parts.ts'
import { languageText } from './support/language.ts'
import { printTable } from './support/table.ts'

/*
 * What a read of the embedded database takes of the main thread, in microseconds of processor time a call: lists, searches in texts,
 * the texts of hits of a separate engine. With `BENCH_BESIDE` set to the folder of another checkout, both answer in turns, and the
 * ratio is printed. `BENCH_ROWS` chunks, 20,000 unless given.
 */

const SOURCES = 200
const TEXT_CHARACTERS = 800
const FLOWS = 40
const JOBS_OF_FLOW = 10
const POINTS = 50
const ROUNDS = 6
/** How much processor time a round of a kind takes at least, in microseconds. */
const ROUND_MICROS = 60_000

type Opened = { ledger: Ledger; backend: Backend; collection: string; points: readonly string[] }
type Read = (opened: Opened, n: number) => Promise<unknown>

const FLOW_PAGE = { offset: 0, limit: 20 }
const nameOf = (n: number) => `source ${String(n % SOURCES).padStart(4, '0')}.txt`

const READS: Record<string, Read> = {
  'texts of 50 hits of a separate engine': ({ ledger, collection, points }, n) => {
    const from = (n * 37) % (points.length - POINTS)
    return ledger.read(collection, points.slice(from, from + POINTS), {})
  },
  'the same, with a filter': ({ ledger, collection, points }, n) => {
    const from = (n * 37) % (points.length - POINTS)
    return ledger.read(collection, points.slice(from, from + POINTS), {
      filter: parseFilter({ group: 3 }),
    })
  },
  '50 chunks of all': ({ ledger }, n) => ledger.chunks('bench', { offset: (n * 50) % 5000, limit: 50 }),
  '50 chunks of a source': ({ ledger }, n) =>
    ledger.chunks('bench', { source: nameOf(n), offset: 0, limit: 50 }),
  'a text in all chunks': ({ ledger }) => ledger.chunks('bench', { search: 'zzyzx', offset: 0, limit: 50 }),
  'a text in the chunks of a source': ({ ledger }, n) =>
    ledger.chunks('bench', { source: nameOf(n), search: 'zzyzx', offset: 0, limit: 50 }),
  '50 sources': ({ ledger }, n) => ledger.sources('bench', { offset: (n * 50) % SOURCES, limit: 50 }),
  '50 sources with a text in their names': ({ ledger }) =>
    ledger.sources('bench', { search: '11', offset: 0, limit: 50 }),
  'the text of a source': ({ ledger }, n) =>
    ledger.text('bench', { source: nameOf(n), version: 'newest', start: 0, end: 20_000 }),
  'what a filter would remove of all chunks': ({ ledger }) =>
    ledger.planRemoval('bench', { filter: parseFilter({ group: 3 }) }),
  'what namespaces hold': ({ ledger }) => ledger.contents(),
  '20 jobs': ({ backend }) => backend.jobs.list({ ...FLOW_PAGE }),
  '20 jobs of a flow': ({ backend }, n) => backend.jobs.list({ ...FLOW_PAGE, flowId: `flow ${n % FLOWS}` }),
  'a job': ({ backend }, n) => backend.jobs.find(`job ${n % (FLOWS * JOBS_OF_FLOW)}`),
  '40 flows with their last upsert': ({ backend }) => backend.flows.heads(),
  'a flow': ({ backend }, n) => backend.flows.find(`flow ${n % FLOWS}`),
}

export async function run(): Promise<void> {
  const rows = Number(process.env.BENCH_ROWS ?? 20_000)
  const beside = process.env.BENCH_BESIDE
  const here = path.join(import.meta.dirname, '..')
  const checkouts = beside === undefined ? [here] : [here, path.resolve(beside)]
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-bench-'))
  const closing: (() => Promise<void>)[] = []
  try {
    const all: Opened[] = []
    for (const [at, checkout] of checkouts.entries()) {
      const { opened, close } = await open(checkout, path.join(folder, `${at}`), rows)
      all.push(opened)
      closing.push(close)
    }
    const table: (string | number)[][] = []
    for (const [name, read] of Object.entries(READS)) {
      const spent = all.map(() => ({ micros: 0, calls: 0 }))
      // The first two rounds are not counted: the code is not compiled yet.
      for (let round = -2; round < ROUNDS; round++)
        for (const at of round % 2 === 0 ? [...all.keys()] : [...all.keys()].reverse()) {
          const { micros, calls } = await measure(read, all[at]!)
          if (round < 0) continue
          spent[at]!.micros += micros
          spent[at]!.calls += calls
        }
      const each = spent.map(({ micros, calls }) => micros / calls)
      table.push([name, ...each, ...(beside === undefined ? [] : [each[0]! / each[1]!])])
    }
    printTable([
      [`CPU µs a read, ${rows} chunks`, 'this', ...(beside === undefined ? [] : ['other', 'ratio'])],
      ...table,
    ])
  } finally {
    for (const close of closing) await close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(read: Read, opened: Opened): Promise<{ micros: number; calls: number }> {
  const began = process.threadCpuUsage()
  for (let calls = 1; ; calls++) {
    await read(opened, calls)
    const { user, system } = process.threadCpuUsage(began)
    if (user + system >= ROUND_MICROS) return { micros: user + system, calls }
  }
}

/** A database of a checkout with the same rows, opened by that checkout. */
async function open(
  checkout: string,
  directory: string,
  rows: number,
): Promise<{ opened: Opened; close: () => Promise<void> }> {
  const from = <Module>(file: string) =>
    import(pathToFileURL(path.join(checkout, 'src', file)).href) as Promise<Module>
  const { openDatabase } = await from<typeof import('../src/db/sqlite/database.ts')>('db/sqlite/database.ts')
  const { sqliteLedger } = await from<typeof import('../src/db/sqlite/ledger.ts')>('db/sqlite/ledger.ts')
  const { diskGuard } = await from<typeof import('../src/db/disk-guard.ts')>('db/disk-guard.ts')
  const { makeDirectory } = await from<typeof import('../src/db/directory.ts')>('db/directory.ts')
  const { openEmbedded } = await from<typeof import('../src/backend/embedded.ts')>('backend/embedded.ts')
  const database = openDatabase(path.join(directory, 'ledger'))
  const ledger = sqliteLedger(database)
  const { collection, points } = await fillLedger(ledger, rows)
  const DATA_DIR = path.join(directory, 'rows')
  makeDirectory(DATA_DIR)
  const backend = openEmbedded({ ...readConfig(), DATA_DIR }, diskGuard(DATA_DIR, 0), quietLog)
  await fillRows(backend)
  return {
    opened: { ledger, backend, collection, points },
    async close() {
      await backend.stop()
      await backend.close()
      await database.close()
    },
  }
}

async function fillLedger(ledger: Ledger, rows: number) {
  const run = await ledger.open({ namespace: 'bench', embedder: 'e', engine: 'some engine' })
  const perSource = Math.ceil(rows / SOURCES)
  const points: string[] = []
  for (let source = 0; source < SOURCES; source++) {
    const chunks = Array.from({ length: perSource }, (_, n) => {
      const number = source * perSource + n
      const text = languageText(number, TEXT_CHARACTERS)
      const metadata = { group: number % 10, number, source: nameOf(source) }
      const start = n * TEXT_CHARACTERS
      return { ...newChunk(nameOf(source), text, metadata), range: { start, end: start + text.length } }
    })
    points.push(...chunks.map(({ pointId }) => pointId))
    await run.stage(chunks, 2)
  }
  const updatedSources = Array.from({ length: SOURCES }, (_, n) => nameOf(n))
  await run.publish(publication(points.length, { updatedSources }))
  return { collection: run.index.collection, points }
}

async function fillRows({ flows, jobs }: Backend): Promise<void> {
  for (let n = 0; n < FLOWS; n++) await flows.insert(flowRow(`flow ${n}`))
  for (let n = 0; n < FLOWS * JOBS_OF_FLOW; n++) {
    const id = `job ${n}`
    const flowId = `flow ${n % FLOWS}`
    await jobs.insert(
      { id, flowId, kind: 'upsert', namespace: flowId, request: 'sealed', description: [], now: n },
      0,
    )
    await jobs.begin(id, n)
    const file = { name: 'a.txt', chunks: 1, added: 1, updated: 0, skipped: 0, deleted: 0 }
    const result = { numAdded: 1, files: Array.from({ length: 20 }, () => ({ ...file, status: 'indexed' })) }
    await jobs.end({ id, state: 'done', progress: null, result, error: null, now: n })
  }
}

if (import.meta.main) await run()
