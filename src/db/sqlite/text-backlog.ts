import type { Connection } from './connection.ts'
import { textIndex } from './text-index.ts'
import type { Write } from './write.ts'

/** How many passages one write takes in: some 20 ms. */
const STEP = 500

/**
 * Moves indexes of versions before 0.2, whose text indexes were SQLite's own, over to this one: the next passages of
 * one of them; after the last its old table goes. Answers whether there is more.
 */
export const catchUpText: Write<undefined, boolean> = {
  name: 'catchUpText',
  staged: true,
  run(connection) {
    const next = connection.get<{ index_id: number; after: number; last: number }>(
      'SELECT index_id, after, last FROM text_backlog LIMIT 1',
    )
    if (!next) return false
    const { index_id: indexId, after, last } = next
    const passages = connection.all<{ id: number; content: string }>(
      'SELECT id, content FROM passages WHERE index_id = ? AND id > ? AND id <= ? ORDER BY id LIMIT ?',
      indexId,
      after,
      last,
      STEP,
    )
    if (passages.length > 0) {
      const writer = textIndex.writer(connection, indexId)
      for (const { id, content } of passages) writer.add(id, content)
      writer.end()
      connection.run('UPDATE text_backlog SET after = ? WHERE index_id = ?', passages.at(-1)!.id, indexId)
    } else if (!textIndex.merge(connection, indexId)) {
      connection.run('DELETE FROM text_backlog WHERE index_id = ?', indexId)
      dropOldTable(connection, indexId)
    }
    return true
  },
}

/** The table that an index had in versions before 0.2. */
export function dropOldTable(connection: Connection, indexId: number): void {
  // The id is a number that the database made: nothing of a person's can reach the statement.
  connection.exec(`DROP TABLE IF EXISTS text_index_${Math.trunc(indexId)}`)
}
