import type { HistoryRow, HistoryStore } from '../../contract/history-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import { historyFromRow } from '../rows/history.ts'
import type { Connection } from './connection.ts'
import type { Database } from './database.ts'
import type { Write } from './write.ts'

export const addHistory: Write<HistoryRow, void> = {
  name: 'addHistory',
  run(connection, row) {
    connection.run(
      'INSERT INTO upsert_history (id, flow_id, result, flow_data, date, job_id) VALUES (?, ?, ?, ?, ?, ?)',
      row.id,
      row.flowId,
      JSON.stringify(row.result),
      JSON.stringify(row.flowData),
      row.date,
      row.jobId,
    )
  },
}

export const removeHistory: Write<readonly string[], void> = {
  name: 'removeHistory',
  run(connection, ids) {
    for (const id of ids)
      if (connection.run('DELETE FROM upsert_history WHERE id = ?', id) === 0)
        throw new SluiceError('history_not_found', { id })
  },
}

/** Deletes all but the newest `rows` rows of all flows. */
export function pruneHistory(connection: Connection, rows: number): void {
  connection.run(
    `DELETE FROM upsert_history WHERE id IN (
       SELECT id FROM upsert_history ORDER BY date DESC, id LIMIT -1 OFFSET ?)`,
    rows,
  )
}

export function historyStore(database: Database): HistoryStore {
  return {
    add: (row) => database.write(addHistory, row),
    remove: (ids) => database.write(removeHistory, ids),
    async list(flowId, options = {}) {
      const { ascending = false, from = 0, to = Number.MAX_SAFE_INTEGER, offset = 0, limit = -1 } = options
      const rows = database.reader.all(
        `SELECT * FROM upsert_history WHERE flow_id = ? AND date BETWEEN ? AND ?
         ORDER BY date ${ascending ? 'ASC' : 'DESC'}, id LIMIT ? OFFSET ?`,
        flowId,
        from,
        to,
        limit,
        offset,
      )
      return rows.map(historyFromRow)
    },
    async find(id) {
      const row = database.reader.get('SELECT * FROM upsert_history WHERE id = ?1 OR job_id = ?1', id)
      return row && historyFromRow(row)
    },
    async count(flowId, { from = 0, to = Number.MAX_SAFE_INTEGER } = {}) {
      return database.reader.get<{ n: number }>(
        'SELECT count(*) AS n FROM upsert_history WHERE flow_id = ? AND date BETWEEN ? AND ?',
        flowId,
        from,
        to,
      )!.n
    },
    async sizes(flowId, limit) {
      const rows = database.reader.all<{ flow: string; date: number; chunks: number }>(
        `SELECT flow_id AS flow, date, result ->> '$.totalKeys' AS chunks FROM upsert_history
         WHERE (?1 IS NULL OR flow_id = ?1) AND chunks IS NOT NULL ORDER BY date DESC, id LIMIT ?2`,
        flowId ?? null,
        limit,
      )
      return rows.toReversed()
    },
  }
}
