import type { HistoryRow } from '../../contract/history-store.ts'
import type { Json, JsonObject } from '../../kit/json.ts'
import type { StoredRow } from './stored-row.ts'

export const historyFromRow = (row: StoredRow): HistoryRow => ({
  id: row.id as string,
  flowId: row.flow_id as string,
  result: JSON.parse(row.result as string) as JsonObject,
  flowData: JSON.parse(row.flow_data as string) as Json[],
  date: row.date as number,
  jobId: row.job_id as string | null,
})
