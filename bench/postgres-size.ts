import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openPostgres } from '../src/db/postgres/database.ts'
import { replicaStores } from '../src/stores/replica-stores.ts'
import { newPostgres } from '../test/support/postgres.ts'
import { publishChunks } from '../test/support/publish-chunks.ts'
import { languageText } from './support/language.ts'
import { printTable } from './support/table.ts'

const BATCH = 1024
const DIMENSIONS = [256, 768, 1536]
const CHARACTERS = 800

/**
 * Bytes a chunk over PostgreSQL, with random vectors and texts of about 880 bytes: all tables of the database, and the replica of a member
 * that searches them. `BENCH_ROWS` chunks, 20,480 unless given.
 */
export async function run(): Promise<void> {
  const rows = Number(process.env.BENCH_ROWS ?? 20_480)
  const table = [['dimensions', 'PostgreSQL', 'replica of a node', 'image, in memory and as a file']]
  for (const dimensions of DIMENSIONS) table.push([`${dimensions}`, ...(await sizes(rows, dimensions))])
  console.log(`bytes a chunk, ${rows} chunks\n`)
  printTable(table)
}

async function sizes(rows: number, dimensions: number): Promise<string[]> {
  const { address } = await newPostgres()
  const database = await openPostgres(address)
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-bench-'))
  const stores = replicaStores(database, folder)
  try {
    const size = async () =>
      Number(
        (await database.reader.get<{ bytes: number }>(
          `SELECT sum(pg_total_relation_size(oid)) AS bytes FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
        ))!.bytes,
      )
    const before = await size()
    const random = generator()
    for (let at = 0; at < rows; at += BATCH)
      await publishChunks(
        stores.open('bench'),
        'e',
        Array.from({ length: Math.min(BATCH, rows - at) }, (_, n) => ({
          source: `folder/${at}.md`,
          text: languageText(at + n, CHARACTERS),
          metadata: { source: `folder/${at}.md`, page: n % 9 },
          vector: Float32Array.from({ length: dimensions }, random),
        })),
      )
    const ofDatabase = (await size()) - before
    await stores.open('bench').search({ vector: Float32Array.from({ length: dimensions }, random), limit: 1 })
    const { bytes } = stores.memory()
    await stores.close()
    const files = readdirSync(folder).filter((name) => name.startsWith('sluice.db'))
    const replica = files.reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0)
    return [ofDatabase, replica, bytes].map((one) => String(Math.round(one / rows)))
  } finally {
    await stores.close()
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Numbers from -1 to 1, the same each time. */
function generator(): () => number {
  let seed = 1
  return () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
    return seed / 0x40000000 - 1
  }
}
