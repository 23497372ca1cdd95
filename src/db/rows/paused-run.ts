import type { PausedRun } from '../../contract/paused-run-store.ts'
import type { JsonObject } from '../../kit/json.ts'
import type { StoredRow } from './stored-row.ts'

export const pausedRunFromRow = (row: StoredRow): PausedRun => ({
  id: row.id as string,
  flowId: row.flow_id as string,
  sessionId: row.session_id as string,
  nodeId: row.node_id as string,
  createdAt: row.created_at as number,
  state: JSON.parse(row.state as string) as JsonObject,
})
