import type { PausedRun, PausedRunStore } from '../../contract/paused-run-store.ts'
import type { JsonObject } from '../../kit/json.ts'
import type { SqlDatabase, SqlRow, SqlWrite } from '../sql/session.ts'
import { insertRow } from '../sql/statements.ts'

export const putPausedRun: SqlWrite<PausedRun, void> = {
  name: 'putPausedRun',
  isOneStatement: true,
  async run(session, { id, flowId, sessionId, nodeId, createdAt, state }) {
    await insertRow(
      session,
      'paused_runs',
      {
        ...{ id, flow_id: flowId, session_id: sessionId, node_id: nodeId },
        ...{ created_at: createdAt, state: JSON.stringify(state) },
      },
      `ON CONFLICT (flow_id, session_id) DO UPDATE
         SET id = excluded.id, node_id = excluded.node_id, created_at = excluded.created_at, state = excluded.state`,
    )
  },
}

export const removePausedRun: SqlWrite<string, boolean> = {
  name: 'removePausedRun',
  isOneStatement: true,
  run: async (session, id) => (await session.run('DELETE FROM paused_runs WHERE id = ?', id)) > 0,
}

/** Deleting a flow deletes its paused runs. */
export function pausedRunStore({ reader, write }: SqlDatabase): PausedRunStore {
  return {
    save: (run) => write(putPausedRun, run),
    async find(flowId, sessionId) {
      const row = await reader.get(
        'SELECT * FROM paused_runs WHERE flow_id = ? AND session_id = ?',
        flowId,
        sessionId,
      )
      return row && pausedRunFromRow(row)
    },
    take: (id) => write(removePausedRun, id),
  }
}

const pausedRunFromRow = (row: SqlRow): PausedRun => ({
  id: row.id as string,
  flowId: row.flow_id as string,
  sessionId: row.session_id as string,
  nodeId: row.node_id as string,
  createdAt: row.created_at as number,
  state: JSON.parse(row.state as string) as JsonObject,
})
