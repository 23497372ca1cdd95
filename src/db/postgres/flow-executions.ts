import type { ExecutionFilter, FlowExecutionStore } from '../../contract/flow-execution-store.ts'
import {
  EXECUTION_QUESTION,
  executionConditions,
  executionFromRow,
  executionHeadColumns,
  executionSummary,
  LOST,
  storedExecution,
} from '../rows/execution.ts'
import { forgetLostRuns, HAS_LIVE_RUN } from './chat-runs.ts'
import { NOT_OF_DELETED_FLOWS } from './deleted-flows.ts'
import type { PostgresDatabase } from './database.ts'
import type { SqlRow } from './session.ts'

/** The executions of flows. */
export function postgresFlowExecutions({
  reader,
  writer,
  transaction,
}: PostgresDatabase): FlowExecutionStore {
  async function page(
    columns: string,
    filter: ExecutionFilter,
    { offset, limit }: { offset: number; limit: number },
  ) {
    const asked = executionConditions(filter, 'ILIKE')
    const where = [NOT_OF_DELETED_FLOWS, ...asked.map(({ sql }, at) => sql(`$${at + 1}`))].join(' AND ')
    const values = asked.map(({ value }) => value)
    const rows = await reader.all<SqlRow>(
      `SELECT ${columns} FROM executions WHERE ${where} ORDER BY seq DESC
       LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
      ...values,
      limit,
      offset,
    )
    const { total } = (await reader.get<{ total: number }>(
      `SELECT count(*) AS total FROM executions WHERE ${where}`,
      ...values,
    ))!
    return { rows, total }
  }

  return {
    save: (execution) =>
      transaction(async (session) => {
        // The update comes first: an insert that conflicts would use up a number of the sequence.
        await session.run(
          `WITH known AS (
             UPDATE executions SET state = $6, nodes = $7, updated_at = $9, failure = $11, spans = $12, omitted_spans = $13
             WHERE id = $1 RETURNING 1)
           INSERT INTO executions (id, flow_id, question_id, chat_id, session_id, state, nodes, created_at, updated_at,
             kind, failure, spans, omitted_spans)
           SELECT $1, $2, id, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13 FROM chat_messages
           WHERE id = $3 AND NOT EXISTS (SELECT 1 FROM known)
           ON CONFLICT (id) DO UPDATE
             SET state = excluded.state, nodes = excluded.nodes, updated_at = excluded.updated_at,
               failure = excluded.failure, spans = excluded.spans, omitted_spans = excluded.omitted_spans`,
          execution.id,
          execution.flowId,
          execution.questionId,
          execution.chatId,
          execution.sessionId,
          execution.state,
          JSON.stringify(execution.nodes),
          execution.createdAt,
          execution.updatedAt,
          execution.kind,
          execution.failure ? JSON.stringify(execution.failure) : null,
          JSON.stringify(execution.spans),
          execution.omittedSpans,
        )
      }),
    async find(id) {
      const row = await reader.get(
        `SELECT *, ${EXECUTION_QUESTION} FROM executions WHERE id = $1 AND ${NOT_OF_DELETED_FLOWS}`,
        id,
      )
      return row && storedExecution(row)
    },
    async waiting(flowId, sessionId) {
      const row = await reader.get(
        `SELECT * FROM executions WHERE flow_id = $1 AND session_id = $2 AND state = 'STOPPED'
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
      const columns = executionHeadColumns((column) => `json_array_length(${column}::json)`)
      const { rows, total } = await page(columns, filter, range)
      return { rows: rows.map(executionSummary), total }
    },
    async endLost(now) {
      await transaction(
        async (session) => {
          await forgetLostRuns(session)
          await session.run(
            `UPDATE executions SET state = 'TERMINATED', updated_at = $1, failure = $2
             WHERE state = 'INPROGRESS' AND NOT ${HAS_LIVE_RUN}`,
            now,
            JSON.stringify(LOST),
          )
        },
        { repeatable: true },
      )
    },
    remove: (ids) => writer.run('DELETE FROM executions WHERE id = ANY($1)', ids),
  }
}
