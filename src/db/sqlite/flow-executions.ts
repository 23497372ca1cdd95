import type {
  ExecutionFilter,
  FlowExecution,
  FlowExecutionStore,
} from '../../contract/flow-execution-store.ts'
import {
  EXECUTION_COLUMNS,
  executionConditions,
  executionFromRow,
  executionHead,
  EXECUTIONS_KEPT,
} from '../rows/execution.ts'
import type { Connection } from './connection.ts'
import type { Database } from './database.ts'
import { DELETED_FLOWS } from './deleted-flows.ts'
import type { Write } from './write.ts'

const DAY = 24 * 3_600_000

export const keepExecution: Write<FlowExecution, void> = {
  name: 'keepExecution',
  grows: true,
  run(connection, execution) {
    connection.run(
      `INSERT INTO executions (id, flow_id, question_id, chat_id, session_id, state, nodes, created_at, updated_at)
       SELECT ?, ?, id, ?, ?, ?, ?, ?, ? FROM chat_messages WHERE id = ?
       ON CONFLICT (id) DO UPDATE
         SET state = excluded.state, nodes = excluded.nodes, updated_at = excluded.updated_at`,
      execution.id,
      execution.flowId,
      execution.chatId,
      execution.sessionId,
      execution.state,
      JSON.stringify(execution.nodes),
      execution.createdAt,
      execution.updatedAt,
      execution.questionId,
    )
    pruneExecutions(connection, execution.updatedAt)
  },
}

function pruneExecutions(connection: Connection, now: number): void {
  const { rows, days } = EXECUTIONS_KEPT
  connection.run(
    'DELETE FROM executions WHERE seq <= (SELECT max(seq) FROM executions) - ? OR updated_at < ?',
    rows,
    now - days * DAY,
  )
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
      "UPDATE executions SET state = 'TERMINATED', updated_at = ? WHERE state = 'INPROGRESS'",
      now,
    )
  },
}

function conditionOf(filter: ExecutionFilter) {
  const asked = executionConditions(filter)
  return {
    where: [`flow_id NOT IN (${DELETED_FLOWS})`, ...asked.map(({ sql }) => `${sql} ?`)].join(' AND '),
    values: asked.map(({ value }) => value),
  }
}

/** The executions of agent flows, node by node. */
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
        `SELECT * FROM executions WHERE id = ? AND flow_id NOT IN (${DELETED_FLOWS})`,
        id,
      )
      return row && executionFromRow(row)
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
      const { rows, total } = page('*', filter, range)
      return { rows: rows.map(executionFromRow), total }
    },
    async summaries(filter, range) {
      const { rows, total } = page(`${EXECUTION_COLUMNS}, json_array_length(nodes) AS steps`, filter, range)
      return { rows: rows.map((row) => ({ ...executionHead(row), steps: row.steps as number })), total }
    },
    endLost: (now) => database.write(endLostExecutions, now),
    remove: (ids) => database.write(removeExecutions, ids),
  }
}
