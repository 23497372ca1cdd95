import type { HistoryRow, HistoryStore } from '../../contract/history-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import { historyFromRow } from '../rows/history.ts'
import type { PostgresDatabase } from './database.ts'
import { jsonOf } from './json-text.ts'
import type { SqlSession } from './session.ts'

export async function addHistoryRow(session: SqlSession, row: HistoryRow): Promise<void> {
  await session.run(
    'INSERT INTO upsert_history (id, flow_id, result, flow_data, date, job_id) VALUES ($1, $2, $3, $4, $5, $6)',
    row.id,
    row.flowId,
    JSON.stringify(row.result),
    JSON.stringify(row.flowData),
    row.date,
    row.jobId,
  )
}

export function postgresHistory({ reader, writer, transaction }: PostgresDatabase): HistoryStore {
  return {
    add: (row) => addHistoryRow(writer, row),
    remove: (ids) =>
      transaction(async (session) => {
        const gone = await session.all<{ id: string }>(
          'DELETE FROM upsert_history WHERE id = ANY($1) RETURNING id',
          ids,
        )
        const found = new Set(gone.map(({ id }) => id))
        const missing = ids.find((id) => !found.has(id))
        if (missing !== undefined) throw new SluiceError('history_not_found', { id: missing })
      }),
    async list(flowId, options = {}) {
      const { ascending = false, from = 0, to = Number.MAX_SAFE_INTEGER, offset = 0, limit = null } = options
      const rows = await reader.all(
        `SELECT * FROM upsert_history WHERE flow_id = $1 AND date BETWEEN $2 AND $3
         ORDER BY date ${ascending ? 'ASC' : 'DESC'}, id LIMIT $4 OFFSET $5`,
        flowId,
        from,
        to,
        limit,
        offset,
      )
      return rows.map(historyFromRow)
    },
    async find(id) {
      const row = await reader.get('SELECT * FROM upsert_history WHERE id = $1 OR job_id = $1', id)
      return row && historyFromRow(row)
    },
    async count(flowId, { from = 0, to = Number.MAX_SAFE_INTEGER } = {}) {
      const row = await reader.get<{ n: number }>(
        'SELECT count(*) AS n FROM upsert_history WHERE flow_id = $1 AND date BETWEEN $2 AND $3',
        flowId,
        from,
        to,
      )
      return row!.n
    },
    async sizes(flowId, limit) {
      const rows = await reader.all<{ flow: string; date: number; chunks: number }>(
        `SELECT flow, date, chunks FROM (
           SELECT flow_id AS flow, date, id, (${jsonOf('result')} ->> 'totalKeys')::bigint AS chunks
           FROM upsert_history WHERE $1::text IS NULL OR flow_id = $1) AS sized
         WHERE chunks IS NOT NULL ORDER BY date DESC, id LIMIT $2`,
        flowId ?? null,
        limit,
      )
      return rows.toReversed()
    },
  }
}
