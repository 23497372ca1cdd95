import type { HistoryRow, HistoryStore } from '../../contract/history-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { Json, JsonObject } from '../../kit/json.ts'
import type { SqlDatabase, SqlRow, SqlSession, SqlWrite } from '../sql/session.ts'
import { allOf, countRows, insertRow, NO_LIMIT } from '../sql/statements.ts'

export const addHistory: SqlWrite<HistoryRow, void> = {
  name: 'addHistory',
  isOneStatement: true,
  async run(session, { id, flowId, result, flowData, date, jobId }) {
    await insertRow(session, 'upsert_history', {
      ...{ id, flow_id: flowId, result: JSON.stringify(result), flow_data: JSON.stringify(flowData) },
      ...{ date, job_id: jobId },
    })
  },
}

export const removeHistory: SqlWrite<readonly string[], void> = {
  name: 'removeHistory',
  async run(session, ids) {
    const gone = await session.all<{ id: string }>(
      'DELETE FROM upsert_history WHERE id IN (?) RETURNING id',
      ids,
    )
    const found = new Set(gone.map(({ id }) => id))
    const missing = ids.find((id) => !found.has(id))
    if (missing !== undefined) throw new SluiceError('history_not_found', { id: missing })
  },
}

/** Deletes all but the newest `rows` rows of all flows. */
export async function sweepHistory(session: SqlSession, rows: number): Promise<void> {
  await session.run(
    `DELETE FROM upsert_history WHERE id IN (
       SELECT id FROM upsert_history ORDER BY date DESC, id LIMIT ? OFFSET ?)`,
    NO_LIMIT,
    rows,
  )
}

export function historyStore({ reader, write }: SqlDatabase): HistoryStore {
  return {
    add: (row) => write(addHistory, row),
    remove: (ids) => write(removeHistory, ids),
    async list(flowId, { ascending = false, from, to, offset = 0, limit = NO_LIMIT } = {}) {
      const { where, values } = allOf(['flow_id = ?', flowId], ['date >= ?', from], ['date <= ?', to])
      const rows = await reader.all(
        `SELECT * FROM upsert_history WHERE ${where} ORDER BY date ${ascending ? 'ASC' : 'DESC'}, id LIMIT ? OFFSET ?`,
        ...values,
        limit,
        offset,
      )
      return rows.map(historyFromRow)
    },
    async find(id) {
      const row = await reader.get('SELECT * FROM upsert_history WHERE id = ?1 OR job_id = ?1', id)
      return row && historyFromRow(row)
    },
    count(flowId, { from, to } = {}) {
      const { where, values } = allOf(['flow_id = ?', flowId], ['date >= ?', from], ['date <= ?', to])
      return countRows(reader, 'upsert_history', where, values)
    },
    async sizes(flowId, limit) {
      const { where, values } = allOf(['flow_id = ?', flowId])
      const rows = await reader.all<{ flow: string; date: number; chunks: number }>(
        `SELECT flow, date, chunks FROM (
           SELECT flow_id AS flow, date, id, CAST(${reader.dialect.json('result')} ->> 'totalKeys' AS bigint) AS chunks
           FROM upsert_history WHERE ${where}) AS sized
         WHERE chunks IS NOT NULL ORDER BY date DESC, id LIMIT ?`,
        ...values,
        limit,
      )
      return rows.toReversed()
    },
  }
}

const historyFromRow = (row: SqlRow): HistoryRow => ({
  id: row.id as string,
  flowId: row.flow_id as string,
  result: JSON.parse(row.result as string) as JsonObject,
  flowData: JSON.parse(row.flow_data as string) as Json[],
  date: row.date as number,
  jobId: row.job_id as string | null,
})
