import type { FlowState, FlowStateStore } from '../../contract/flow-state-store.ts'
import type { JsonObject } from '../../kit/json.ts'
import type { SqlDatabase, SqlWrite } from '../sql/session.ts'
import { insertRow } from '../sql/statements.ts'

export const putFlowState: SqlWrite<FlowState, void> = {
  name: 'putFlowState',
  isOneStatement: true,
  grows: true,
  async run(session, { flowId, sessionId, rootFlowId, updatedAt, state }) {
    await insertRow(
      session,
      'flow_states',
      {
        ...{ flow_id: flowId, session_id: sessionId, root_flow_id: rootFlowId },
        ...{ updated_at: updatedAt, state: JSON.stringify(state) },
      },
      `ON CONFLICT (flow_id, session_id) DO UPDATE
         SET root_flow_id = excluded.root_flow_id, updated_at = excluded.updated_at, state = excluded.state`,
    )
  },
}

/** Deleting a flow deletes the states of its sessions. */
export function flowStateStore({ reader, write }: SqlDatabase): FlowStateStore {
  return {
    save: (state) => write(putFlowState, state),
    async find(flowId, sessionId) {
      const row = await reader.get<{ state: string }>(
        'SELECT state FROM flow_states WHERE flow_id = ? AND session_id = ?',
        flowId,
        sessionId,
      )
      return row && (JSON.parse(row.state) as JsonObject)
    },
  }
}
