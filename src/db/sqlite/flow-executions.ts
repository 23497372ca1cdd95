import type {
  ExecutionFilter,
  FlowExecution,
  FlowExecutionStore,
} from '../../contract/flow-execution-store.ts'
import {
  EXECUTION_QUESTION,
  executionConditions,
  executionFromRow,
  executionHeadColumns,
  executionSummary,
  LOST,
  storedExecution,
} from '../rows/execution.ts'
import type { Database } from './database.ts'
import { DELETED_FLOWS } from './deleted-flows.ts'
import type { Write } from './write.ts'

export const keepExecution: Write<FlowExecution, void> = {
  name: 'keepExecution',
  grows: true,
  // Not synced to the disk, so that no answer waits for it; writing the answer syncs both.
  staged: true,
  run(connection, execution) {
    connection.run(
      `INSERT INTO executions (id, kind, flow_id, question_id, chat_id, session_id, state, failure, nodes, spans,
         omitted_spans, created_at, updated_at)
       SELECT ?, ?, ?, id, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM chat_messages WHERE id = ?
       ON CONFLICT (id) DO UPDATE
         SET state = excluded.state, failure = excluded.failure, nodes = excluded.nodes, spans = excluded.spans,
           omitted_spans = excluded.omitted_spans, updated_at = excluded.updated_at`,
      execution.id,
      execution.kind,
      execution.flowId,
      execution.chatId,
      execution.sessionId,
      execution.state,
      execution.failure ? JSON.stringify(execution.failure) : null,
      JSON.stringify(execution.nodes),
      JSON.stringify(execution.spans),
      execution.omittedSpans,
      execution.createdAt,
      execution.updatedAt,
      execution.questionId,
    )
  },
}

export const removeExecutions: Write<readonly string[], number> = {
  name: 'removeExecutions',
  run: (connection, ids) =>
    connection.run(
      'DELETE FROM executions WHERE id IN (SELECT value FROM json_each(?))',
      JSON.stringify(ids),
    ),
}

export const endLostExecutions: Write<number, void> = {
  name: 'endLostExecutions',
  run(connection, now) {
    connection.run(
      "UPDATE executions SET state = 'TERMINATED', failure = ?, updated_at = ? WHERE state = 'INPROGRESS'",
      JSON.stringify(LOST),
      now,
    )
  },
}

function conditionOf(filter: ExecutionFilter) {
  const asked = executionConditions(filter, 'LIKE')
  return {
    where: [`flow_id NOT IN (${DELETED_FLOWS})`, ...asked.map(({ sql }) => sql('?'))].join(' AND '),
    values: asked.map(({ value }) => value),
  }
}

/** The executions of flows. */
export function flowExecutionStore(database: Database): FlowExecutionStore {
  const { reader } = database

  function page(
    columns: string,
    filter: ExecutionFilter,
    { offset, limit }: { offset: number; limit: number },
  ) {
    const { where, values } = conditionOf(filter)
    const rows = reader.all(
      `SELECT ${columns} FROM executions WHERE ${where} ORDER BY seq DESC LIMIT ? OFFSET ?`,
      ...values,
      limit,
      offset,
    )
    const { total } = reader.get<{ total: number }>(
      `SELECT count(*) AS total FROM executions WHERE ${where}`,
      ...values,
    )!
    return { rows, total }
  }

  return {
    save: (execution) => database.write(keepExecution, execution),
    async find(id) {
      const row = reader.get(
        `SELECT *, ${EXECUTION_QUESTION} FROM executions WHERE id = ? AND flow_id NOT IN (${DELETED_FLOWS})`,
        id,
      )
      return row && storedExecution(row)
    },
    async waiting(flowId, sessionId) {
      const row = reader.get(
        `SELECT * FROM executions WHERE flow_id = ? AND session_id = ? AND state = 'STOPPED'
         ORDER BY seq DESC LIMIT 1`,
        flowId,
        sessionId,
      )
      return row && executionFromRow(row)
    },
    async list(filter, range) {
      const { rows, total } = page(`*, ${EXECUTION_QUESTION}`, filter, range)
      return { rows: rows.map(storedExecution), total }
    },
    async summaries(filter, range) {
      const columns = executionHeadColumns((column) => `json_array_length(${column})`)
      const { rows, total } = page(columns, filter, range)
      return { rows: rows.map(executionSummary), total }
    },
    endLost: (now) => database.write(endLostExecutions, now),
    remove: (ids) => database.write(removeExecutions, ids),
  }
}
