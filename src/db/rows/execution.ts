import type { ExecutedNode } from '../../contract/agent.ts'
import type {
  ExecutionFilter,
  ExecutionState,
  ExecutionSummary,
  FlowExecution,
} from '../../contract/flow-execution-store.ts'
import type { StoredRow } from './stored-row.ts'

/** How many executions are kept, of all flows together, and for how many days. */
export const EXECUTIONS_KEPT = { rows: 5000, days: 30 }

/** The columns of an {@link ExecutionSummary} without its steps. */
export const EXECUTION_COLUMNS =
  'id, flow_id, question_id, chat_id, session_id, state, created_at, updated_at'

export const executionFromRow = (row: StoredRow): FlowExecution => ({
  ...executionHead(row),
  nodes: JSON.parse(row.nodes as string) as ExecutedNode[],
})

export const executionHead = (row: StoredRow): Omit<ExecutionSummary, 'steps'> => ({
  id: row.id as string,
  flowId: row.flow_id as string,
  questionId: row.question_id as string,
  chatId: row.chat_id as string,
  sessionId: row.session_id as string,
  state: row.state as ExecutionState,
  createdAt: row.created_at as number,
  updatedAt: row.updated_at as number,
})

/** What a filter asks: column, operator and value. */
export function executionConditions({ id, flowId, sessionId, state, from, to }: ExecutionFilter) {
  const conditions = [
    ['id =', id],
    ['flow_id =', flowId],
    ['session_id =', sessionId],
    ['state =', state],
    ['created_at >=', from],
    ['created_at <=', to],
  ] as const
  return conditions.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]))
}
