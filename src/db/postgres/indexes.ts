import type { IndexRequest } from '../../contract/ledger.ts'
import { checkIndex, INDEX_COLUMNS, type IndexRow } from '../index-row.ts'
import { liveIndex } from '../ledger/live-index.ts'
import type { SqlSession } from './session.ts'

/** An open run: readers see nothing of it before it is published. */
export type OpenRun = { run: number; index: IndexRow }

/** Retires an index, and the one that is built to replace it; `sweepRetired` deletes them. */
export async function retireIndex(sql: SqlSession, id: number): Promise<void> {
  await sql.run(
    `UPDATE indexes SET state = 'retired', namespace = replace(gen_random_uuid()::text, '-', ''), replaces = NULL
     WHERE id = $1 OR replaces = $1`,
    id,
  )
  await abandonOpenRuns(sql, id)
}

/** Makes an empty index; undefined where the namespace has one, made by another connection at the same time. */
export const makeIndex = (
  sql: SqlSession,
  made: IndexRequest & { replaces?: number; now: number },
): Promise<IndexRow | undefined> =>
  sql.get<IndexRow>(
    `INSERT INTO indexes (namespace, embedder, engine, state, replaces, created_at) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT DO NOTHING RETURNING ${INDEX_COLUMNS}`,
    made.namespace,
    made.embedder,
    made.engine,
    made.replaces === undefined ? 'live' : 'building',
    made.replaces ?? null,
    made.now,
  )

/**
 * Begins a run in an index, whose row the transaction has locked. Runs of the index that are still open are abandoned: their
 * process lost the turn of the namespace, and can stage or publish nothing from now on.
 */
export async function beginRun(sql: SqlSession, index: IndexRow, now: number): Promise<OpenRun> {
  await abandonOpenRuns(sql, index.id)
  const row = await sql.get<{ seq: number }>(
    `INSERT INTO runs (index_id, state, started_at) VALUES ($1, 'open', $2) RETURNING seq`,
    index.id,
    now,
  )
  return { run: row!.seq, index }
}

const abandonOpenRuns = (sql: SqlSession, indexId: number): Promise<number> =>
  sql.run(`UPDATE runs SET state = 'abandoned' WHERE index_id = $1 AND state = 'open'`, indexId)

/**
 * Begins a run in a namespace, making its index where there is none. An index without visible chunks is replaced where
 * embedder or engine differ.
 *
 * @throws SluiceError `embedder_changed`, `engine_changed`
 */
export async function openRun(
  sql: SqlSession,
  { now, ...wanted }: IndexRequest & { now: number },
): Promise<OpenRun> {
  for (;;) {
    let index = await sql.get<IndexRow>(
      `SELECT ${INDEX_COLUMNS} FROM indexes WHERE namespace = $1 AND state = 'live' FOR UPDATE`,
      wanted.namespace,
    )
    if (index && (index.embedder !== wanted.embedder || index.engine !== wanted.engine)) {
      checkIndex(index, wanted)
      await retireIndex(sql, index.id)
      index = undefined
    }
    index ??= await makeIndex(sql, { ...wanted, now })
    if (index) return beginRun(sql, index, now)
  }
}

/** Stores the length of the first vectors of an index. */
export const setDimensions = (sql: SqlSession, indexId: number, dimensions: number): Promise<number> =>
  sql.run('UPDATE indexes SET dimensions = $1 WHERE id = $2 AND dimensions IS NULL', dimensions, indexId)

export const abandonRun = (sql: SqlSession, run: number): Promise<number> =>
  sql.run(`UPDATE runs SET state = 'abandoned' WHERE seq = $1 AND state = 'open'`, run)

/** Retires the index of a namespace. */
export async function removeIndex(sql: SqlSession, namespace: string): Promise<void> {
  const index = await liveIndex(sql, namespace)
  if (index) await retireIndex(sql, index.id)
}
