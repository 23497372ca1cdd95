import type { IndexRequest } from '../../contract/ledger.ts'
import { checkIndex, INDEX_COLUMNS, type IndexRow } from '../index-row.ts'
import type { Connection, Row } from './connection.ts'
import { textIndex } from './text-index.ts'
import type { Write } from './write.ts'

/** An open run: readers see nothing of it before it is published. */
export type OpenRun = { run: number; index: IndexRow }

/** The index that readers of a namespace see. */
export function findIndex(connection: Connection, namespace: string): IndexRow | undefined {
  const row = connection.get(
    `SELECT ${INDEX_COLUMNS} FROM indexes WHERE namespace = ? AND state = 'live'`,
    namespace,
  )
  return row && indexFromRow(row)
}

/** Whether an index is the one that readers of its namespace see. */
export const isLive = (connection: Connection, id: number): boolean =>
  connection.get(`SELECT 1 FROM indexes WHERE id = ? AND state = 'live'`, id) !== undefined

export const indexFromRow = (row: Row): IndexRow => ({
  id: row.id as number,
  namespace: row.namespace as string,
  embedder: row.embedder as string,
  engine: row.engine as string,
  dimensions: row.dimensions as number | null,
  chunks: row.chunks as number,
})

/** Retires an index, and the one that is built to replace it; `sweepRetired` deletes them. */
export function retireIndex(connection: Connection, id: number): void {
  connection.run(
    `UPDATE indexes SET state = 'retired', namespace = hex(randomblob(16)), replaces = NULL
     WHERE id = ?1 OR replaces = ?1`,
    id,
  )
}

/** Makes an empty index. Its namespace may be an internal name that no request can have. */
export function makeIndex(
  connection: Connection,
  made: IndexRequest & { replaces?: number; now: number },
): IndexRow {
  const row = connection.get(
    `INSERT INTO indexes (namespace, embedder, engine, state, replaces, created_at) VALUES (?, ?, ?, ?, ?, ?)
     RETURNING ${INDEX_COLUMNS}`,
    made.namespace,
    made.embedder,
    made.engine,
    made.replaces === undefined ? 'live' : 'building',
    made.replaces ?? null,
    made.now,
  )
  return indexFromRow(row!)
}

/** Begins a run in an index. */
export function beginRun(connection: Connection, index: IndexRow, now: number): OpenRun {
  const last = connection.get<{ id: number | null }>('SELECT max(id) AS id FROM chunks')!.id ?? 0
  const { seq } = connection.get<{ seq: number }>(
    `INSERT INTO runs (index_id, state, first_chunk, first_passage, started_at)
     VALUES (?, 'open', ?, ?, ?) RETURNING seq`,
    index.id,
    last + 1,
    textIndex.freeId(connection),
    now,
  )!
  return { run: seq, index }
}

/**
 * Begins a run in a namespace, making its index where there is none. An index without visible chunks is replaced where
 * embedder or engine differ.
 *
 * @throws SluiceError `embedder_changed`, `engine_changed`
 */
export const openRun: Write<IndexRequest & { now: number }, OpenRun> = {
  name: 'openRun',
  run(connection, { now, ...wanted }) {
    let index = findIndex(connection, wanted.namespace)
    if (index && (index.embedder !== wanted.embedder || index.engine !== wanted.engine)) {
      checkIndex(index, wanted)
      retireIndex(connection, index.id)
      index = undefined
    }
    return beginRun(connection, index ?? makeIndex(connection, { ...wanted, now }), now)
  },
}

/**
 * The same in an index that is there and stays. Nothing outside the database depends on the run before it is published, so
 * the disk is not waited for.
 */
export const openRunInIndex: Write<IndexRequest & { now: number }, OpenRun> = {
  ...openRun,
  name: 'openRunInIndex',
  staged: true,
}

/** Stores the length of the first vectors of an index. */
export const setDimensions: Write<{ indexId: number; dimensions: number }, void> = {
  name: 'setDimensions',
  staged: true,
  run(connection, { indexId, dimensions }) {
    connection.run(
      'UPDATE indexes SET dimensions = ? WHERE id = ? AND dimensions IS NULL',
      dimensions,
      indexId,
    )
  },
}

export const abandonRun: Write<number, void> = {
  name: 'abandonRun',
  run(connection, run) {
    connection.run(`UPDATE runs SET state = 'abandoned' WHERE seq = ? AND state = 'open'`, run)
  },
}

/** After a start: abandons the runs that a dead process left open. */
export const abandonOpenRuns: Write<undefined, number> = {
  name: 'abandonOpenRuns',
  run: (connection) => connection.run(`UPDATE runs SET state = 'abandoned' WHERE state = 'open'`),
}

/** Retires the index of a namespace. */
export const removeIndex: Write<string, void> = {
  name: 'removeIndex',
  run(connection, namespace) {
    const index = findIndex(connection, namespace)
    if (index) retireIndex(connection, index.id)
  },
}
