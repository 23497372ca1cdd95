import { pgVectorDatabase, pgVectorOver } from '../test/support/pgvector.ts'
import { pgVectorServer } from '../test/support/postgres.ts'
import pg from 'pg'
import { languageText } from './support/language.ts'
import { printTable } from './support/table.ts'

const BATCH = 512
const DIMENSIONS = [256, 768, 1536]

const CHARACTERS = 800

/**
 * Bytes a chunk of the tables of the card `postgres`, with random vectors and texts of about 880 bytes: the rows, the graph, the index of the
 * metadata. `BENCH_ROWS` chunks, 20,480 unless given.
 */
export async function run(): Promise<void> {
  const rows = Number(process.env.BENCH_ROWS ?? 20_480)
  const table = [['dimensions', 'rows', 'graph', 'metadata', 'ids', 'all', 'build s']]
  for (const dimensions of DIMENSIONS) {
    const database = await pgVectorDatabase()
    const engine = await pgVectorOver({ database, quietMs: 3_600_000 })
    let seed = 1
    const random = () => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
      return seed / 0x40000000 - 1
    }
    for (let at = 0; at < rows; at += BATCH)
      await engine.upsert(
        'bench',
        Array.from({ length: Math.min(BATCH, rows - at) }, (_, n) => ({
          id: `00000000-0000-4000-8000-${String(at + n).padStart(12, '0')}`,
          text: languageText(at + n, CHARACTERS),
          vector: Float32Array.from({ length: dimensions }, random),
          metadata: { source: `folder/${at % 40}.md`, page: n % 9, loc: { lines: { from: n, to: n + 9 } } },
        })),
      )
    const began = performance.now()
    await engine.buildGraphs()
    const seconds = (performance.now() - began) / 1000
    await engine.close()
    table.push([`${dimensions}`, ...(await sizes(database, rows)), seconds.toFixed(1)])
  }
  console.log(`bytes a chunk, ${rows} chunks\n`)
  printTable(table)
}

/** Bytes a chunk of the rows with what is stored beside them, of each index, and of all. */
async function sizes(database: string, rows: number): Promise<string[]> {
  const client = new pg.Client((await pgVectorServer()).address(database))
  await client.connect()
  try {
    const { rows: found } = await client.query(
      `SELECT pg_table_size(t.oid) AS heap, pg_total_relation_size(t.oid) AS whole,
         (SELECT json_object_agg(am.amname, pg_relation_size(x.oid)) FROM pg_index i
            JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am am ON am.oid = x.relam WHERE i.indrelid = t.oid) AS indexes
       FROM pg_class t WHERE t.relkind = 'r' AND t.relname LIKE 'documents\\_%'`,
    )
    const [{ heap, whole, indexes }] = found as [
      { heap: string; whole: string; indexes: Record<string, number> },
    ]
    const each = (bytes: number | string | undefined) => String(Math.round(Number(bytes ?? 0) / rows))
    return [heap, indexes.hnsw, indexes.gin, indexes.btree, whole].map(each)
  } finally {
    await client.end()
  }
}
