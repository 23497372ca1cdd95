import type {
  ExecutionFilter,
  FlowExecution,
  FlowExecutionStore,
} from '../../contract/flow-execution-store.ts'
import {
  EXECUTION_QUESTION,
  executionFromRow,
  executionHeadColumns,
  executionSummary,
  LOST,
  storedExecution,
} from '../rows/execution.ts'
import type { SqlDatabase, SqlSession, SqlWrite } from '../sql/session.ts'
import { allOf, countRows } from '../sql/statements.ts'
import { NOT_OF_DELETED_FLOWS } from './not-deleted.ts'

export const keepExecution: SqlWrite<FlowExecution, void> = {
  name: 'keepExecution',
  grows: true,
  // Not synced to the disk, so that no answer waits for it; writing the answer syncs both.
  staged: true,
  async run(session, execution) {
    const { id, kind, flowId, questionId, chatId, sessionId, state, createdAt, updatedAt } = execution
    const failure = execution.failure ? JSON.stringify(execution.failure) : null
    const [nodes, spans] = [JSON.stringify(execution.nodes), JSON.stringify(execution.spans)]
    // The update comes first: an insert that conflicts would use up a number of the sequence.
    const changed = await session.run(
      `UPDATE executions SET state = ?, failure = ?, nodes = ?, spans = ?, omitted_spans = ?, updated_at = ?
       WHERE id = ?`,
      ...[state, failure, nodes, spans, execution.omittedSpans, updatedAt, id],
    )
    if (changed > 0) return
    await session.run(
      `INSERT INTO executions (id, kind, flow_id, question_id, chat_id, session_id, state, failure, nodes, spans,
         omitted_spans, created_at, updated_at)
       SELECT CAST(? AS text), CAST(? AS text), CAST(? AS text), id, CAST(? AS text), CAST(? AS text), CAST(? AS text),
         CAST(? AS text), CAST(? AS text), CAST(? AS text), CAST(? AS integer), CAST(? AS bigint), CAST(? AS bigint)
       FROM chat_messages WHERE id = ?
       ON CONFLICT (id) DO UPDATE
         SET state = excluded.state, failure = excluded.failure, nodes = excluded.nodes, spans = excluded.spans,
           omitted_spans = excluded.omitted_spans, updated_at = excluded.updated_at`,
      ...[id, kind, flowId, chatId, sessionId, state, failure, nodes, spans],
      ...[execution.omittedSpans, createdAt, updatedAt, questionId],
    )
  },
}

export const removeExecutions: SqlWrite<readonly string[], number> = {
  name: 'removeExecutions',
  isOneStatement: true,
  run: (session, ids) => session.run('DELETE FROM executions WHERE id IN (?)', ids),
}

/** Ends the executions of an earlier process: of the one that has the database now, none is in progress. */
export const endLostExecutions: SqlWrite<number, void> = {
  name: 'endLostExecutions',
  isOneStatement: true,
  async run(session, now) {
    await session.run(
      `UPDATE executions SET state = 'TERMINATED', failure = ?, updated_at = ? WHERE state = 'INPROGRESS'`,
      JSON.stringify(LOST),
      now,
    )
  },
}

function conditionOf({ dialect }: SqlSession, filter: ExecutionFilter) {
  const found = filter.search ? dialect.contains('content', filter.search) : undefined
  return allOf(
    { sql: NOT_OF_DELETED_FLOWS, values: [] },
    ['id = ?', filter.id],
    ['kind = ?', filter.kind],
    ['flow_id = ?', filter.flowId],
    ['session_id = ?', filter.sessionId],
    ['state = ?', filter.state],
    ['created_at >= ?', filter.from],
    ['created_at <= ?', filter.to],
    found && {
      sql: `EXISTS (SELECT 1 FROM chat_messages WHERE chat_messages.id = executions.question_id AND ${found.sql})`,
      values: found.values,
    },
  )
}

/**
 * The executions of flows.
 *
 * @param endLost how those of a process that is gone are ended, where several share the database
 */
export function flowExecutionStore(
  { reader, write }: SqlDatabase,
  endLost: SqlWrite<number, void> = endLostExecutions,
): FlowExecutionStore {
  async function page(
    columns: string,
    filter: ExecutionFilter,
    { offset, limit }: { offset: number; limit: number },
  ) {
    const { where, values } = conditionOf(reader, filter)
    const rows = await reader.all(
      `SELECT ${columns} FROM executions WHERE ${where} ORDER BY seq DESC LIMIT ? OFFSET ?`,
      ...values,
      limit,
      offset,
    )
    return { rows, total: await countRows(reader, 'executions', where, values) }
  }

  return {
    save: (execution) => write(keepExecution, execution),
    async find(id) {
      const row = await reader.get(
        `SELECT *, ${EXECUTION_QUESTION} FROM executions WHERE id = ? AND ${NOT_OF_DELETED_FLOWS}`,
        id,
      )
      return row && storedExecution(row)
    },
    async waiting(flowId, sessionId) {
      const row = await reader.get(
        `SELECT * FROM executions WHERE flow_id = ? AND session_id = ? AND state = 'STOPPED'
         ORDER BY seq DESC LIMIT 1`,
        flowId,
        sessionId,
      )
      return row && executionFromRow(row)
    },
    async list(filter, range) {
      const { rows, total } = await page(`*, ${EXECUTION_QUESTION}`, filter, range)
      return { rows: rows.map(storedExecution), total }
    },
    async summaries(filter, range) {
      const columns = executionHeadColumns(reader.dialect.jsonLength)
      const { rows, total } = await page(columns, filter, range)
      return { rows: rows.map(executionSummary), total }
    },
    endLost: (now) => write(endLost, now),
    remove: (ids) => write(removeExecutions, ids),
  }
}
