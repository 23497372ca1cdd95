import { setTimeout as pause } from 'node:timers/promises'
import type { LedgerChunk } from '../src/contract/ledger.ts'
import { openPostgres, type PostgresDatabase } from '../src/db/postgres/database.ts'
import { postgresLedger } from '../src/db/postgres/ledger.ts'
import { OWN_TABLES } from '../src/db/postgres/own-tables.ts'
import { fingerprint } from '../src/kit/hash.ts'
import { administer, newPostgres, postgresServer } from '../test/support/postgres.ts'
import { printTable, quantile } from './support/table.ts'

const BATCH = 1000
const DIMENSIONS = 64
const CHUNKS_A_SOURCE = 50
/** In how many loads each namespace gets its chunks: rows of namespaces lie between one another. */
const LOADS = 5
const REMOVED = 10
const READS = 300
const PAGE = 50
const TABLES = ['passages', 'vectors', 'chunks']

/**
 * The ledger over PostgreSQL with `BENCH_ROWS` chunks, 1,000,000 unless given, in `BENCH_NAMESPACES`, 200 unless given, and one of
 * `BENCH_LARGE` beside them, a fifth unless given: inserts, publications, first pages, removals and what they leave, sizes on disk. `BENCH_OWN_FROM`: from how many
 * chunks a namespace has tables of its own. The server is one of its own, without fsync.
 */
export async function run(): Promise<void> {
  const rows = Number(process.env.BENCH_ROWS ?? 1_000_000)
  const namespaces = Number(process.env.BENCH_NAMESPACES ?? 200)
  const given = process.env.BENCH_OWN_FROM
  const server = await postgresServer()
  const { address, drop } = await newPostgres()
  const began = performance.now()
  const database = await openPostgres(address)
  const firstStart = performance.now() - began
  const ledger = postgresLedger(database, Date.now, undefined, {
    ownTables: given === undefined ? OWN_TABLES : { from: Number(given), most: 1_000_000 },
  })
  const bench = { database, ledger, small: Math.floor(rows / namespaces), namespaces }
  try {
    const { filled, inserted, published } = await fill(bench)
    await administer(server, 'CHECKPOINT')
    console.log(`${rows} chunks in ${namespaces} namespaces, ${filled} s\n`)
    printTable([
      ['chunks/s, by fifths of the fill', ...inserted],
      ['publication, ms: p50, p99', quantile(published, 0.5), quantile(published, 0.99)],
    ])
    await printSizes(database, rows)
    console.log()
    await printReads(bench, 'before ANALYZE')
    await database.transaction((sql) => sql.run('ANALYZE'), LONG)
    await printReads(bench, 'after it')
    await printRemovals(bench)
    await printLarge(bench, Number(process.env.BENCH_LARGE ?? rows / 5))
    await printSizes(database, rows)
    const again = performance.now()
    await (await openPostgres(address)).close()
    console.log(
      `\nfirst start ${firstStart.toFixed()} ms, another ${(performance.now() - again).toFixed()} ms`,
    )
  } finally {
    await database.close()
    await drop()
  }
}

const LONG = { limitMs: 30 * 60_000 }

type Bench = {
  database: PostgresDatabase
  ledger: ReturnType<typeof postgresLedger>
  small: number
  namespaces: number
}

const nameOf = (namespace: number): string => `namespace ${namespace}`

function chunkOf(namespace: number, number: number): LedgerChunk {
  const source = `folder/${Math.floor(number / CHUNKS_A_SOURCE)}.md`
  const text = `Chunk ${number} of namespace ${namespace}. ${'The tide tables are at the harbour office. '.repeat(6)}`
  const metadata = JSON.stringify({ source, page: number % 9, group: number % 100 })
  const start = (number % CHUNKS_A_SOURCE) * 300
  return {
    ...{ source, text, metadata, hash: fingerprint(text), metadataHash: fingerprint(metadata) },
    range: { start, end: start + 300 },
  }
}

const vectors = Float32Array.from({ length: BATCH * DIMENSIONS }, (_, at) => Math.sin(at))

/** Loads chunks of a namespace in one run; returns what its publication took, in ms. */
async function load({ ledger }: Bench, namespace: number, from: number, to: number): Promise<number> {
  const run = await ledger.open({ namespace: nameOf(namespace), embedder: 'e', engine: 'built-in' })
  const sources = new Set<string>()
  for (let at = from; at < to; at += BATCH) {
    const count = Math.min(BATCH, to - at)
    const chunks = Array.from({ length: count }, (_, place) => chunkOf(namespace, at + place))
    for (const { source } of chunks) sources.add(source)
    await run.stage(chunks, DIMENSIONS, vectors.subarray(0, count * DIMENSIONS))
  }
  const began = performance.now()
  await run.publish({
    ...{ stagedCount: to - from, removedChunkIds: [], files: [], invalidatedFiles: [] },
    updatedSources: [...sources],
  })
  return performance.now() - began
}

async function fill(bench: Bench) {
  const { namespaces, small } = bench
  const [inserted, published]: [number[], number[]] = [[], []]
  const began = performance.now()
  for (let part = 0; part < LOADS; part++) {
    const start = performance.now()
    const [from, to] = [part, part + 1].map((at) => Math.floor((at * small) / LOADS)) as [number, number]
    for (let namespace = 0; namespace < namespaces; namespace++)
      published.push(await load(bench, namespace, from, to))
    inserted.push(((to - from) * namespaces) / ((performance.now() - start) / 1000))
  }
  return { filled: ((performance.now() - began) / 1000).toFixed(), inserted, published }
}

/** What the first page of chunks, and of sources, takes in ms. */
async function readTimes({ ledger }: Bench, namespace: number): Promise<[number, number]> {
  const began = performance.now()
  await ledger.chunks(nameOf(namespace), { offset: 0, limit: PAGE })
  const middle = performance.now()
  await ledger.sources(nameOf(namespace), { offset: 0, limit: PAGE })
  return [middle - began, performance.now() - middle]
}

async function printReads(bench: Bench, when: string): Promise<void> {
  const [chunks, sources, known]: [number[], number[], number[]] = [[], [], []]
  for (let read = 0; read < READS; read++) {
    const namespace = (read * 7) % bench.namespaces
    const [ofChunks, ofSources] = await readTimes(bench, namespace)
    chunks.push(ofChunks)
    sources.push(ofSources)
    const view = bench.ledger.view(await bench.ledger.find(nameOf(namespace)))
    const asked = Array.from({ length: CHUNKS_A_SOURCE }, (_, at) => chunkOf(namespace, at))
    const began = performance.now()
    await view.known(
      asked[0]!.source,
      asked.map(({ hash }) => hash),
    )
    known.push(performance.now() - began)
  }
  printTable([
    [`ms ${when}`, 'p50', 'p99'],
    ['first page of chunks', quantile(chunks, 0.5), quantile(chunks, 0.99)],
    ['first page of sources', quantile(sources, 0.5), quantile(sources, 0.99)],
    ['what is known of a source', quantile(known, 0.5), quantile(known, 0.99)],
  ])
  console.log()
}

async function remove({ ledger }: Bench, namespace: number): Promise<number> {
  const began = performance.now()
  await ledger.remove(nameOf(namespace))
  await ledger.sweepRemoved('built-in', async () => {})
  return performance.now() - began
}

async function printRemovals(bench: Bench): Promise<void> {
  const before = await bytesOf(bench.database)
  const times: number[] = []
  for (let at = 0; at < REMOVED; at++) times.push(await remove(bench, bench.namespaces - 1 - at))
  const after = await bytesOf(bench.database)
  const vacuum = await vacuumTime()
  printTable([
    ['removal', 'p50, ms', 'longest, ms', 'MB given back', 'VACUUM after it, ms'],
    [
      `${REMOVED} namespaces of ${bench.small}`,
      ...[quantile(times, 0.5), Math.max(...times), (before - after) / 1e6, vacuum],
    ],
  ])
  console.log()

  async function vacuumTime(): Promise<number> {
    const began = performance.now()
    for (const { name } of await leaves(bench.database))
      await bench.database.writer.run(`VACUUM (INDEX_CLEANUP ON) ${name}`)
    return performance.now() - began
  }
}

/** Loads and removes a large namespace, while a small one is read and gets a chunk again and again. */
async function printLarge(bench: Bench, chunks: number): Promise<void> {
  const table: (string | number)[][] = [
    ['meanwhile in another namespace, ms', 'it takes, s', 'page p50', 'p99', 'publication p50', 'p99'],
  ]
  let next = bench.small
  async function beside(what: string, work: () => Promise<unknown>): Promise<void> {
    const [reads, writes]: [number[], number[]] = [[], []]
    let busy = true
    const neighbour = async () => {
      while (busy) {
        reads.push((await readTimes(bench, 0))[0])
        writes.push(await load(bench, 0, next, ++next))
        await pause(5)
      }
    }
    const began = performance.now()
    const all = neighbour()
    await work()
    const took = (performance.now() - began) / 1000
    busy = false
    await all
    const figures = [reads, writes].flatMap((times) => [quantile(times, 0.5), quantile(times, 0.99)])
    table.push([what, took, ...figures])
  }
  const large = bench.namespaces
  await beside('alone', () => pause(3000))
  await beside(`load of ${chunks} chunks`, () => load(bench, large, 0, chunks))
  const before = await bytesOf(bench.database)
  await beside('their removal', () => remove(bench, large))
  const after = await bytesOf(bench.database)
  await beside('VACUUM after it', async () => {
    for (const { name } of await leaves(bench.database))
      await bench.database.writer.run(`VACUUM (INDEX_CLEANUP ON) ${name}`)
  })
  printTable(table)
  console.log(`the removal gave ${((before - after) / 1e6).toFixed()} MB back to the file system\n`)
}

/** The tables with rows below those of the ledger. */
const leaves = ({ reader }: PostgresDatabase): Promise<{ name: string }[]> =>
  reader.all<{ name: string }>(
    `SELECT relid::regclass::text AS name FROM unnest($1::text[]) AS asked (name), pg_partition_tree(asked.name::regclass) WHERE isleaf
     UNION SELECT name FROM unnest($1::text[]) AS asked (name) WHERE NOT EXISTS (SELECT 1 FROM pg_partition_tree(asked.name::regclass))`,
    TABLES,
  )

async function bytesOf(database: PostgresDatabase): Promise<number> {
  const row = await database.reader.get<{ bytes: number }>(
    `SELECT sum(pg_total_relation_size(oid))::bigint AS bytes FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  )
  return Number(row!.bytes)
}

async function printSizes(database: PostgresDatabase, rows: number): Promise<void> {
  const files = await database.reader.get<{ n: number }>(
    `SELECT count(*) AS n FROM pg_class WHERE relkind IN ('r', 'i', 't', 'S') AND relnamespace IN ('public'::regnamespace, 'pg_toast'::regnamespace)`,
  )
  const table: (string | number)[][] = [['bytes a chunk', 'rows', 'indexes']]
  const names = (await leaves(database)).map(({ name }) => name)
  for (const parent of TABLES) {
    const own = names.filter((name) => name.startsWith(parent))
    const size = await database.reader.get<{ heap: number; indexes: number }>(
      `SELECT sum(pg_table_size(name::regclass))::bigint AS heap, sum(pg_indexes_size(name::regclass))::bigint AS indexes
       FROM unnest($1::text[]) AS name`,
      own,
    )
    table.push([`${parent}, ${own.length} tables`, size!.heap / rows, size!.indexes / rows])
  }
  printTable(table)
  console.log(`${(await bytesOf(database)) / 1e6} MB in all, ${files!.n} tables, indexes and sequences`)
}
