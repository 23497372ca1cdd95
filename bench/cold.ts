import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { BlobShelf } from '../src/contract/blob-shelf.ts'
import { openBucket } from '../src/blobs/open-bucket.ts'
import { openPostgres, type PostgresDatabase } from '../src/db/postgres/database.ts'
import { fingerprint } from '../src/kit/hash.ts'
import { COPY_RULES } from '../src/stores/replica/copy-saver.ts'
import { replicaStores } from '../src/stores/replica-stores.ts'
import { administer, postgresServer } from '../test/support/postgres.ts'
import { newBucketUrl } from '../test/support/s3-server.ts'
import { DIMENSIONS, groupOf, queryVector, vectorOf } from './support/clustered.ts'
import { languageQuestion, languageText } from './support/language.ts'
import { printTable } from './support/table.ts'

const BATCH = 500
const TEXT_CHARACTERS = 800
const NAMESPACE = 'bench'

/**
 * The first question over PostgreSQL of a member that wrote, of one that has no copy and reads all rows, and of one that fetches the saved
 * copy, from the database and from a bucket; beside a bare client that reads the same bytes. `BENCH_ROWS` chunks, 100,000 unless given;
 * with `BENCH_BEFORE=no` nobody reads all rows.
 */
export async function run(): Promise<void> {
  const rows = Number(process.env.BENCH_ROWS ?? 100_000)
  const server = await postgresServer()
  await administer(server, 'CREATE DATABASE cold')
  const database = await openPostgres(server.address('cold'))
  const folder = mkdtempSync(path.join(process.env.BENCH_FOLDER ?? tmpdir(), 'sluice-cold-'))
  const table: (string | number)[][] = [
    [`${rows} chunks × ${DIMENSIONS}`, 'first question, s', 'second, ms', 'processor, s'],
  ]
  try {
    const saved = Promise.withResolvers<{ bytes: number; ms: number }>()
    const writer = memberIn(database, path.join(folder, 'writer'), saved.resolve, saved.reject)
    writer.share(undefined)
    const began = performance.now()
    await load(writer, rows)
    console.log(`loaded in ${Math.round((performance.now() - began) / 1000)} s`)
    table.push(await firstQuestion('the member that wrote', writer))
    const { bytes, ms } = await saved.promise
    console.log(`saved ${Math.round(bytes / 1e6)} MB in ${ms} ms, in the database`)
    const bare = await readBare(server.address('cold'), path.join(folder, 'bare'))
    console.log(`a bare copy of ${Math.round(bare.bytes / 1e6)} MB from the database: ${bare.ms} ms`)
    if (process.env.BENCH_BEFORE !== 'no') {
      const reading = memberIn(database, path.join(folder, 'reading'))
      table.push(await firstQuestion('a member that reads all rows', reading))
      await reading.close()
      rmSync(path.join(folder, 'reading'), { recursive: true })
    }
    table.push(await coldQuestion('a copy from the database', database, path.join(folder, 'cold'), undefined))
    await fromBucket(database, folder, table)
    await writer.close()
  } finally {
    printTable(table)
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Member = ReturnType<typeof memberIn>

const memberIn = (
  database: PostgresDatabase,
  folder: string,
  noteSaved: (facts: { bytes: number; ms: number }) => void = () => {},
  noteFailed: (error: unknown) => void = () => {},
) =>
  replicaStores(database, folder, Date.now, {
    rules: { ...COPY_RULES, leastChunks: 1, intervalMs: 0 },
    noteSaved,
    noteFetched: (facts) => console.log('fetched', facts),
    noteCopyFailure(what, error) {
      console.log('not', what, error)
      noteFailed(error)
    },
  })

async function load(member: Member, rows: number): Promise<void> {
  const run = await member.open(NAMESPACE).open('bench')
  for (let from = 0; from < rows; from += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, rows - from) }, (_, at) => from + at)
    const vectors = new Float32Array(numbers.length * DIMENSIONS)
    for (const [at, number] of numbers.entries()) vectors.set(vectorOf(number), at * DIMENSIONS)
    const chunks = numbers.map((number) => {
      const source = `${number % 1000}.txt`
      const text = languageText(number, TEXT_CHARACTERS)
      const metadata = JSON.stringify({ group: groupOf(number), number, source })
      return { source, text, hash: fingerprint(text), metadata, metadataHash: fingerprint(metadata) }
    })
    await run.stage(chunks, vectors, DIMENSIONS)
  }
  const published = performance.now()
  await run.publish({
    ...{ stagedCount: rows, removedChunkIds: [], files: [], updatedSources: [], invalidatedFiles: [] },
  })
  console.log(`published in ${Math.round(performance.now() - published)} ms`)
}

async function firstQuestion(name: string, member: Member): Promise<(string | number)[]> {
  const ask = async (at: number) => {
    const began = performance.now()
    const request = { vector: queryVector(at), text: languageQuestion(at), limit: 10 }
    const found = await member.open(NAMESPACE).search(request)
    if (found.length === 0) throw new Error('nothing was found')
    return performance.now() - began
  }
  const cpu = process.cpuUsage()
  const first = await ask(0)
  const { user, system } = process.cpuUsage(cpu)
  return [name, first / 1000, await ask(1), (user + system) / 1e6]
}

async function coldQuestion(
  name: string,
  database: PostgresDatabase,
  folder: string,
  bucket: BlobShelf | undefined,
): Promise<(string | number)[]> {
  const member = memberIn(database, folder)
  member.share(bucket)
  const row = await firstQuestion(name, member)
  await member.close()
  rmSync(folder, { recursive: true })
  return row
}

/** A bare client that has all parts sent at once, and writes what comes into a file. */
async function readBare(address: string, file: string): Promise<{ bytes: number; ms: number }> {
  const client = new pg.Client(address)
  await client.connect()
  const began = performance.now()
  const sent = client.query(
    copyTo('COPY (SELECT content FROM saved_parts ORDER BY part) TO STDOUT (FORMAT binary)'),
  )
  await pipeline(sent, createWriteStream(file))
  const ms = Math.round(performance.now() - began)
  await client.end()
  const { size } = statSync(file)
  rmSync(file)
  return { bytes: size, ms }
}

/** The same over a bucket: the copy in the database is deleted before. */
async function fromBucket(
  database: PostgresDatabase,
  folder: string,
  table: (string | number)[][],
): Promise<void> {
  await database.transaction(async (sql) => {
    await sql.run('TRUNCATE saved_parts, saved_indexes')
  })
  const { shelf } = openBucket(await newBucketUrl(), { EGRESS_DENY: [] } as never)
  const saved = Promise.withResolvers<{ bytes: number; ms: number }>()
  const saving = memberIn(database, path.join(folder, 'writer-again'), saved.resolve, saved.reject)
  saving.share(shelf)
  await saving.open(NAMESPACE).search({ vector: queryVector(0), limit: 1 })
  const { bytes, ms } = await saved.promise
  console.log(`saved ${Math.round(bytes / 1e6)} MB in ${ms} ms, in the bucket`)
  await saving.close()
  const [object] = await database.reader.all<{ blob: string }>('SELECT blob FROM saved_indexes')
  const began = performance.now()
  const found = await shelf.get(object!.blob)
  await pipeline(found!.content, createWriteStream(path.join(folder, 'bare')))
  console.log(`a bare copy from the bucket: ${Math.round(performance.now() - began)} ms`)
  table.push(await coldQuestion('a copy from the bucket', database, path.join(folder, 'cold'), shelf))
  await shelf.close()
}
