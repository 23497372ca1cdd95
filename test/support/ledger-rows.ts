import { openPostgres } from '../../src/db/postgres/database.ts'
import type { SqlValue } from '../../src/db/sql/session.ts'
import { newPreparedPostgres } from './postgres.ts'

export type RowMaker = Awaited<ReturnType<typeof ledgerRows>>

/** A database in PostgreSQL for the tests of a file, and what makes rows of its ledger, as they are after any history. */
export async function ledgerRows() {
  const { address, drop } = await newPreparedPostgres()
  const database = await openPostgres(address)
  const { reader, writer } = database
  const idOf = async (statement: string, ...values: SqlValue[]) =>
    (await writer.get<{ id: number }>(statement, ...values))!.id
  let made = 0
  return {
    database,
    rows: <Row extends object>(statement: string, ...values: SqlValue[]) =>
      reader.all<Row>(statement, ...values),
    run: (statement: string, ...values: SqlValue[]) => writer.run(statement, ...values),
    index: (state = 'live') =>
      idOf(
        `INSERT INTO indexes (namespace, embedder, created_at, state) VALUES ($1, 'e', 1, $2) RETURNING id`,
        `namespace ${made++}`,
        state,
      ),
    newRun: (index: number, state = 'open') =>
      idOf(
        'INSERT INTO runs (index_id, state, started_at) VALUES ($1, $2, 1) RETURNING seq AS id',
        index,
        state,
      ),
    source: (index: number, name: string, chunks = 0) =>
      idOf(
        'INSERT INTO sources (index_id, name, updated_at, chunks) VALUES ($1, $2, 1, $3) RETURNING id',
        index,
        name,
        chunks,
      ),
    /** A text with a vector. */
    async passage(index: number, text: string): Promise<number> {
      const id = ++made
      await writer.run('INSERT INTO passages VALUES ($1, $2, $3, $3)', id, index, text)
      await writer.run(`INSERT INTO vectors VALUES ($1, '\\x00')`, id)
      return id
    },
    chunk: (
      { index, source, passage }: { index: number; source: number; passage: number },
      {
        born = 0,
        died = null,
        point = null,
      }: { born?: number; died?: number | null; point?: string | null } = {},
    ) =>
      idOf(
        `INSERT INTO chunks (index_id, source_id, passage_id, hash, metadata, metadata_hash, born, died, point)
         VALUES ($1, $2, $3, 'h', '{}', 'm', $4, $5, $6) RETURNING id`,
        index,
        source,
        passage,
        born,
        died,
        point,
      ),
    async close() {
      await database.close()
      await drop()
    },
  }
}
