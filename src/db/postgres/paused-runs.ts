import type { PausedRunStore } from '../../contract/paused-run-store.ts'
import { pausedRunFromRow } from '../rows/paused-run.ts'
import type { PostgresDatabase } from './database.ts'

/** Deleting a flow deletes its paused runs. */
export function postgresPausedRuns({ reader, writer }: PostgresDatabase): PausedRunStore {
  return {
    async save({ id, flowId, sessionId, nodeId, createdAt, state }) {
      await writer.run(
        `INSERT INTO paused_runs (id, flow_id, session_id, node_id, created_at, state) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (flow_id, session_id) DO UPDATE
           SET id = excluded.id, node_id = excluded.node_id, created_at = excluded.created_at, state = excluded.state`,
        id,
        flowId,
        sessionId,
        nodeId,
        createdAt,
        JSON.stringify(state),
      )
    },
    async find(flowId, sessionId) {
      const row = await reader.get(
        'SELECT * FROM paused_runs WHERE flow_id = $1 AND session_id = $2',
        flowId,
        sessionId,
      )
      return row && pausedRunFromRow(row)
    },
    take: async (id) => (await writer.run('DELETE FROM paused_runs WHERE id = $1', id)) > 0,
  }
}
