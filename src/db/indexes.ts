import { SluiceError } from '../kit/errors.ts'
import { countVisible } from './chunks.ts'
import type { Connection, Row } from './connection.ts'
import { textIndex } from './text-index.ts'
import type { Write } from './write.ts'

/** What a namespace holds: passages embedded by one embedder. Vectors of two models are never mixed in one. */
export type IndexRow = { id: number; namespace: string; embedder: string; dimensions: number | null }

/** A run that may write: nothing of it is visible before it is published. */
export type OpenRun = { run: number; index: IndexRow }

export function findIndex(connection: Connection, namespace: string): IndexRow | undefined {
  const row = connection.get(
    'SELECT id, namespace, embedder, dimensions FROM indexes WHERE namespace = ?',
    namespace,
  )
  return row && fromRow(row)
}

const fromRow = (row: Row): IndexRow => ({
  id: row.id as number,
  namespace: row.namespace as string,
  embedder: row.embedder as string,
  dimensions: row.dimensions as number | null,
})

export const embedderChanged = ({ namespace, embedder }: IndexRow, now: string) =>
  new SluiceError('embedder_changed', {
    namespace,
    was: embedder,
    now,
    hint: 'Give the vector store another namespace, or delete what this one holds and upsert again',
  })

function dropIndex(connection: Connection, id: number): void {
  textIndex.drop(connection, id)
  // Children first and by index: the cascade of a large index would look each row up again.
  connection.run('DELETE FROM chunks WHERE source_id IN (SELECT id FROM sources WHERE index_id = ?)', id)
  connection.run('DELETE FROM indexes WHERE id = ?', id)
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
      if (countVisible(connection, index.id) > 0) throw embedderChanged(index, embedder)
      dropIndex(connection, index.id)
      index = undefined
    }
    if (!index) {
      const row = connection.get(
        'INSERT INTO indexes (namespace, embedder, created_at) VALUES (?, ?, ?) RETURNING id, namespace, embedder, dimensions',
        namespace,
        embedder,
        now,
      )
      index = fromRow(row!)
      textIndex.create(connection, index.id)
    }
    const last = connection.get<{ id: number | null }>('SELECT max(id) AS id FROM chunks')!.id ?? 0
    const { seq } = connection.get<{ seq: number }>(
      `INSERT INTO runs (index_id, state, first_chunk, started_at) VALUES (?, 'open', ?, ?) RETURNING seq`,
      index.id,
      last + 1,
      now,
    )!
    return { run: seq, index }
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

/** After a start: runs that a dead process left open are nobody's. */
export const abandonOpenRuns: Write<undefined, number> = {
  name: 'abandonOpenRuns',
  run: (connection) => connection.run(`UPDATE runs SET state = 'abandoned' WHERE state = 'open'`),
}

export const removeIndex: Write<string, void> = {
  name: 'removeIndex',
  run(connection, namespace) {
    const index = findIndex(connection, namespace)
    if (index) dropIndex(connection, index.id)
  },
}
