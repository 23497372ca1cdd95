import type { PausedRunStore, PausedRun } from '../../contract/paused-run-store.ts'
import { pausedRunFromRow } from '../rows/paused-run.ts'
import type { Database } from './database.ts'
import type { Write } from './write.ts'

export const putPausedRun: Write<PausedRun, void> = {
  name: 'putPausedRun',
  run(connection, { id, flowId, sessionId, nodeId, createdAt, state }) {
    connection.run(
      `INSERT OR REPLACE INTO paused_runs (id, flow_id, session_id, node_id, created_at, state)
       VALUES (?, ?, ?, ?, ?, ?)`,
      id,
      flowId,
      sessionId,
      nodeId,
      createdAt,
      JSON.stringify(state),
    )
  },
}

export const removePausedRun: Write<string, boolean> = {
  name: 'removePausedRun',
  run: (connection, id) => connection.run('DELETE FROM paused_runs WHERE id = ?', id) > 0,
}

/** Deleting a flow deletes its paused runs. */
export function pausedRunStore(database: Database): PausedRunStore {
  return {
    save: (run) => database.write(putPausedRun, run),
    async find(flowId, sessionId) {
      const row = database.reader.get(
        'SELECT * FROM paused_runs WHERE flow_id = ? AND session_id = ?',
        flowId,
        sessionId,
      )
      return row && pausedRunFromRow(row)
    },
    take: (id) => database.write(removePausedRun, id),
  }
}
