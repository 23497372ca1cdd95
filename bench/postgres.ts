import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { CopyRows } from '../src/db/postgres/copy-rows.ts'
import { openPostgres, type PostgresDatabase } from '../src/db/postgres/database.ts'
import { fingerprint } from '../src/kit/hash.ts'
import { replicaStores } from '../src/stores/replica-stores.ts'
import { administer, postgresServer } from '../test/support/postgres.ts'
import type { Question, Row, SearchEngine } from './search/engine.ts'
import { engineOver, sluice } from './search/sluice.ts'
import { groupOf, queryVector, vectorOf } from './support/clustered.ts'
import { languageQuestion, languageText } from './support/language.ts'
import { printTable, quantile } from './support/table.ts'

const BATCH = 500
const TEXT_CHARACTERS = 800
const QUERIES = 300
const WARM = 20
/** How many chunks the publications bring that a replica follows. */
const PUBLISHED = [1, 100, 1000]
const FOLLOWED = 10

/**
 * Inserts and searches over PostgreSQL beside the embedded store and beside a bare client that copies the same rows into the
 * same tables. `BENCH_ROWS` chunks, 100,000 unless given. The server is one of its own, without fsync.
 */
export async function run(): Promise<void> {
  const rows = Number(process.env.BENCH_ROWS ?? 100_000)
  const server = await postgresServer()
  await administer(server, 'CREATE DATABASE bench')
  const database = await openPostgres(server.address('bench'))
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-bench-'))
  const copied: { chunks: number; ms: number }[] = []
  const openMember = (name: string) =>
    replicaStores(database, path.join(folder, name), Date.now, { noteCopied: (facts) => copied.push(facts) })
  const first = openMember('first')
  const overPostgres = engineOver(first.open('bench'), async () => {})
  const embedded = await sluice(path.join(folder, 'embedded'), 'bench')
  try {
    await compareInserts(rows, database, { overPostgres, embedded })
    console.log(`\nfirst question to the member that wrote: ${await firstMs(overPostgres)} ms`)
    const cold = openMember('cold')
    console.log(
      `to one that reads all rows: ${await firstMs(engineOver(cold.open('bench'), async () => {}))} ms`,
    )
    console.log(`  its copy of ${copied[0]!.chunks} chunks: ${copied[0]!.ms} ms`)
    await cold.close()
    await compareSearches({ overPostgres, embedded })
    await follow(rows, overPostgres)
  } finally {
    await first.close()
    await embedded.close()
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function* batches(rows: number): Generator<Row[]> {
  for (let from = 0; from < rows; from += BATCH)
    yield Array.from({ length: Math.min(BATCH, rows - from) }, (_, at) => rowOf(from + at))
}

const rowOf = (number: number): Row => ({
  number,
  vector: vectorOf(number),
  text: languageText(number, TEXT_CHARACTERS),
  group: groupOf(number),
})

type Engines = { overPostgres: SearchEngine; embedded: SearchEngine }

/** Each batch goes to all three, one after another, so that they share the state of the machine. */
async function compareInserts(rows: number, database: PostgresDatabase, engines: Engines): Promise<void> {
  await database.transaction(async (sql) => {
    await sql.run('CREATE SCHEMA bare')
    for (const table of ['passages', 'vectors', 'chunks'])
      await sql.run(`CREATE TABLE bare.${table} (LIKE public.${table}_shared INCLUDING ALL)`)
  })
  const ways: [string, (batch: Row[]) => Promise<void>][] = [
    ['bare COPY', (batch) => copyBare(database, batch)],
    ['Sluice over PostgreSQL', (batch) => engines.overPostgres.insert(batch)],
    ['Sluice, embedded', (batch) => engines.embedded.insert(batch)],
  ]
  const spent = ways.map(() => ({ ms: 0, cpu: 0 }))
  for (const batch of batches(rows))
    for (const [at, [, insert]] of ways.entries()) {
      const [began, cpu] = [performance.now(), process.cpuUsage()]
      await insert(batch)
      spent[at]!.ms += performance.now() - began
      const { user, system } = process.cpuUsage(cpu)
      spent[at]!.cpu += user + system
    }
  await engines.embedded.ready()
  await engines.overPostgres.ready()
  printTable([
    [`${rows} chunks in batches of ${BATCH}`, 'chunks/s', 'µs a chunk', 'CPU of node, µs a chunk'],
    ...ways.map(([name], at) => {
      const { ms, cpu } = spent[at]!
      return [name, rows / (ms / 1000), (ms * 1000) / rows, cpu / rows]
    }),
  ])
}

/** What a client must at least send for a batch: its rows, in the binary form of COPY, in one transaction. */
async function copyBare(database: PostgresDatabase, batch: Row[]): Promise<void> {
  const passages = new CopyRows(['bigint', 'bigint', 'text', 'text'])
  const vectors = new CopyRows(['bigint', 'bytea'])
  const chunks = new CopyRows(['bigint', 'bigint', 'bigint', 'bigint', 'text', 'text', 'text', 'bigint'])
  for (const { number, vector, text, group } of batch) {
    const hash = fingerprint(text)
    const metadata = JSON.stringify({ group, number, source: `${number % 1000}.txt` })
    passages.add(number, 1, hash, text)
    vectors.add(number, new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength))
    chunks.add(number, 1, number % 1000, number, hash, metadata, fingerprint(metadata), 1)
  }
  await database.transaction(async (sql) => {
    await sql.copyIn('bare.passages (id, index_id, hash, content)', passages)
    await sql.copyIn('bare.vectors (passage_id, vector)', vectors)
    await sql.copyIn(
      'bare.chunks (id, index_id, source_id, passage_id, hash, metadata, metadata_hash, born)',
      chunks,
    )
  })
}

const KINDS = ['hybrid', 'vector', 'keyword'] as const

const questionOf = (kind: (typeof KINDS)[number], at: number): Question => ({
  ...(kind === 'keyword' ? {} : { vector: queryVector(at) }),
  ...(kind === 'vector' ? {} : { text: languageQuestion(at) }),
})

async function firstMs(engine: SearchEngine): Promise<number> {
  const began = performance.now()
  await engine.search(questionOf('hybrid', 0))
  return Math.round(performance.now() - began)
}

async function compareSearches({ overPostgres, embedded }: Engines): Promise<void> {
  const rows: (string | number)[][] = [
    ['ms', 'PostgreSQL p50', 'p99', 'embedded p50', 'p99', 'p50 more', 'same answers'],
  ]
  for (const kind of KINDS) {
    const times: [number[], number[]] = [[], []]
    let same = 0
    for (let at = 0; at < QUERIES + WARM; at++) {
      const answers: string[] = []
      for (const [side, engine] of [overPostgres, embedded].entries()) {
        const began = performance.now()
        const found = await engine.search(questionOf(kind, at))
        if (at >= WARM) times[side]!.push(performance.now() - began)
        answers.push(found.map(({ number }) => number).join())
      }
      if (at >= WARM && answers[0] === answers[1]) same++
    }
    const [ours, base] = times.map((side) => [quantile(side, 0.5), quantile(side, 0.99)]) as [
      number[],
      number[],
    ]
    rows.push([kind, ...ours, ...base, ours[0]! - base[0]!, `${same} of ${QUERIES}`])
  }
  console.log()
  printTable(rows)
}

/** What the first search after a publication takes, by the number of chunks that it brings. */
async function follow(rows: number, engine: SearchEngine): Promise<void> {
  const table: (string | number)[][] = [['chunks published', 'first search after it, ms', 'µs a chunk']]
  let next = rows
  for (const count of PUBLISHED) {
    const times: number[] = []
    for (let round = 0; round < FOLLOWED; round++) {
      await engine.insert(Array.from({ length: count }, (_, at) => rowOf(next + at)))
      next += count
      await engine.ready()
      const began = performance.now()
      await engine.search(questionOf('hybrid', round))
      times.push(performance.now() - began)
    }
    const median = quantile(times, 0.5)
    table.push([count, median, (median * 1000) / count])
  }
  console.log()
  printTable(table)
}
