import type { IndexRequest } from '../../contract/ledger.ts'
import { checkIndex, INDEX_COLUMNS, type IndexRow } from '../index-row.ts'
import type { SqlDialect } from '../sql/dialect.ts'
import type { SqlSession, SqlWrite } from '../sql/session.ts'
import { liveIndex } from './live-index.ts'

/** An open run: readers see nothing of it before it is published. */
export type OpenRun = { run: number; index: IndexRow }

/** Removes an index, and the one that is built to replace it: `sweepRemovedIndex` deletes them. Their open runs can publish nothing. */
export async function removeIndexById(sql: SqlSession, id: number): Promise<void> {
  const retired = await sql.all<{ id: number }>(
    `UPDATE indexes SET state = 'retired', namespace = ${sql.dialect.randomText}, replaces = NULL, deleted_flow = NULL,
       deleted_namespace = NULL WHERE id = ?1 OR replaces = ?1 RETURNING id`,
    id,
  )
  for (const index of retired) await abandonRunsOf(sql, index.id)
}

const abandonRunsOf = (sql: SqlSession, indexId: number): Promise<number> =>
  sql.run(`UPDATE runs SET state = 'abandoned' WHERE index_id = ? AND state = 'open'`, indexId)

/**
 * Makes an empty index; undefined where the namespace has one, made by another node at the same time. Its namespace may be an internal
 * name that no request can have.
 */
export const makeIndex = (
  sql: SqlSession,
  made: IndexRequest & { replaces?: number; now: number },
): Promise<IndexRow | undefined> =>
  sql.get<IndexRow>(
    `INSERT INTO indexes (namespace, embedder, engine, state, replaces, created_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING RETURNING ${INDEX_COLUMNS}`,
    made.namespace,
    made.embedder,
    made.engine,
    made.replaces === undefined ? 'live' : 'building',
    made.replaces ?? null,
    made.now,
  )

/** The next id of a passage in SQLite, where they follow one another: the text index has those of deleted ones too. */
export const FREE_PASSAGE = `1 + max(coalesce((SELECT max(id) FROM passages), 0),
  coalesce((SELECT max(last_passage) FROM text_segments), 0))`

/** SQLite also keeps which ids the chunks and passages of a run have: one thread gives them, so they follow one another. */
const NEW_RUN: Readonly<Record<SqlDialect['name'], string>> = {
  sqlite: `INSERT INTO runs (index_id, state, started_at, first_chunk, first_passage)
    VALUES (?, 'open', ?, (SELECT coalesce(max(id), 0) + 1 FROM chunks), ${FREE_PASSAGE}) RETURNING seq`,
  postgres: `INSERT INTO runs (index_id, state, started_at) VALUES (?, 'open', ?) RETURNING seq`,
}

/**
 * Begins a run in an index, whose row the transaction has locked. Runs of the index that are still open are abandoned: their
 * process lost the turn of the namespace, and can stage or publish nothing from now on.
 */
export async function beginRun(sql: SqlSession, index: IndexRow, now: number): Promise<OpenRun> {
  await abandonRunsOf(sql, index.id)
  const row = await sql.get<{ seq: number }>(NEW_RUN[sql.dialect.name], index.id, now)
  return { run: row!.seq, index }
}

/** The index that readers of a namespace see; nobody else changes it until the end of the transaction. */
export const lockedIndex = (sql: SqlSession, namespace: string): Promise<IndexRow | undefined> =>
  sql.get<IndexRow>(
    `SELECT ${INDEX_COLUMNS} FROM indexes WHERE namespace = ? AND state = 'live' ${sql.dialect.forUpdate}`,
    namespace,
  )

/**
 * Begins a run in a namespace, making its index where there is none. An index without visible chunks is replaced where
 * embedder or engine differ.
 *
 * @throws SluiceError `embedder_changed`, `engine_changed`
 */
export const openRun: SqlWrite<IndexRequest & { now: number }, OpenRun> = {
  name: 'openRun',
  async run(sql, { now, ...wanted }) {
    for (;;) {
      let index = await lockedIndex(sql, wanted.namespace)
      if (index && (index.embedder !== wanted.embedder || index.engine !== wanted.engine)) {
        checkIndex(index, wanted)
        await removeIndexById(sql, index.id)
        index = undefined
      }
      index ??= await makeIndex(sql, { ...wanted, now })
      if (index) return beginRun(sql, index, now)
    }
  },
}

/**
 * The same in an index that is there and stays. Nothing outside the database depends on the run before it is published, so
 * the disk is not waited for.
 */
export const openRunInIndex: typeof openRun = { ...openRun, name: 'openRunInIndex', staged: true }

/** Stores the length of the first vectors of an index. */
export const setDimensions: SqlWrite<{ indexId: number; dimensions: number }, void> = {
  name: 'setDimensions',
  staged: true,
  async run(sql, { indexId, dimensions }) {
    await sql.run(
      'UPDATE indexes SET dimensions = ? WHERE id = ? AND dimensions IS NULL',
      dimensions,
      indexId,
    )
  },
}

export const abandonRun: SqlWrite<number, void> = {
  name: 'abandonRun',
  repeatable: true,
  async run(sql, run) {
    await sql.run(`UPDATE runs SET state = 'abandoned' WHERE seq = ? AND state = 'open'`, run)
  },
}

/** After a start of the only node: abandons the runs that a dead process left open. */
export const abandonOpenRuns: SqlWrite<undefined, number> = {
  name: 'abandonOpenRuns',
  run: (sql) => sql.run(`UPDATE runs SET state = 'abandoned' WHERE state = 'open'`),
}

/** Removes the index of a namespace. */
export const removeIndex: SqlWrite<string, void> = {
  name: 'removeIndex',
  async run(sql, namespace) {
    const index = await liveIndex(sql, namespace)
    if (index) await removeIndexById(sql, index.id)
  },
}
