import { embedderChanged } from '../../contract/chunk-store.ts'
import { countVisible } from './chunks.ts'
import type { Connection, Row } from './connection.ts'
import { textIndex } from './text-index.ts'
import type { Write } from './write.ts'

/** What a namespace holds: passages embedded by one embedder. Vectors of two models are never mixed in one. */
export type IndexRow = { id: number; namespace: string; embedder: string; dimensions: number | null }

/** A run that may write: nothing of it is visible before it is published. */
export type OpenRun = { run: number; index: IndexRow }

export const INDEX_COLUMNS = 'id, namespace, embedder, dimensions'

/** The index that readers of a namespace see. */
export function findIndex(connection: Connection, namespace: string): IndexRow | undefined {
  const row = connection.get(
    `SELECT ${INDEX_COLUMNS} FROM indexes WHERE namespace = ? AND state = 'live'`,
    namespace,
  )
  return row && indexFromRow(row)
}

export const indexFromRow = (row: Row): IndexRow => ({
  id: row.id as number,
  namespace: row.namespace as string,
  embedder: row.embedder as string,
  dimensions: row.dimensions as number | null,
})

/** Takes a namespace away from its index, and from the one that was to follow it; `sweepRetired` does the rest. */
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
  made: { namespace: string; embedder: string; replaces?: number; now: number },
): IndexRow {
  const row = connection.get(
    `INSERT INTO indexes (namespace, embedder, state, replaces, created_at) VALUES (?, ?, ?, ?, ?)
     RETURNING ${INDEX_COLUMNS}`,
    made.namespace,
    made.embedder,
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
 * Begins a run in a namespace, making its index where there is none. An index in which readers see nothing makes way
 * for one of a new embedder.
 *
 * @throws SluiceError `embedder_changed`
 */
export const openRun: Write<{ namespace: string; embedder: string; now: number }, OpenRun> = {
  name: 'openRun',
  run(connection, { namespace, embedder, now }) {
    let index = findIndex(connection, namespace)
    if (index && index.embedder !== embedder) {
      if (countVisible(connection, index.id) > 0)
        throw embedderChanged({ namespace, was: index.embedder, now: embedder })
      retireIndex(connection, index.id)
      index = undefined
    }
    return beginRun(connection, index ?? makeIndex(connection, { namespace, embedder, now }), now)
  },
}

/** The first vectors of an index say how long they are. */
export const setDimensions: Write<{ indexId: number; dimensions: number }, void> = {
  name: 'setDimensions',
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

/** After a start: gives up the runs that a dead process left open. */
export const abandonOpenRuns: Write<undefined, number> = {
  name: 'abandonOpenRuns',
  run: (connection) => connection.run(`UPDATE runs SET state = 'abandoned' WHERE state = 'open'`),
}

/** Takes a namespace away with all that it holds. */
export const removeIndex: Write<string, void> = {
  name: 'removeIndex',
  run(connection, namespace) {
    const index = findIndex(connection, namespace)
    if (index) retireIndex(connection, index.id)
  },
}
