import type { ExecutionFilter, FlowExecutionStore } from '../../contract/flow-execution-store.ts'
import {
  EXECUTION_COLUMNS,
  executionConditions,
  executionFromRow,
  executionHead,
  EXECUTIONS_KEPT,
} from '../rows/execution.ts'
import { forgetLostRuns, HAS_LIVE_RUN } from './chat-runs.ts'
import { NOT_OF_DELETED_FLOWS } from './deleted-flows.ts'
import type { PostgresDatabase } from './database.ts'
import type { SqlRow, SqlSession } from './session.ts'

const DAY = 24 * 3_600_000

/** Old executions are removed with about every so many new ones. */
const PRUNE_EVERY = 50

/** The executions of agent flows, node by node. */
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
    const asked = executionConditions(filter)
    const where = [NOT_OF_DELETED_FLOWS, ...asked.map(({ sql }, at) => `${sql} $${at + 1}`)].join(' AND ')
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
        const inserted = await session.get<{ seq: number }>(
          `WITH known AS (
             UPDATE executions SET state = $6, nodes = $7, updated_at = $9 WHERE id = $1 RETURNING 1)
           INSERT INTO executions (id, flow_id, question_id, chat_id, session_id, state, nodes, created_at, updated_at)
           SELECT $1, $2, id, $4, $5, $6, $7, $8, $9 FROM chat_messages
           WHERE id = $3 AND NOT EXISTS (SELECT 1 FROM known)
           ON CONFLICT (id) DO UPDATE
             SET state = excluded.state, nodes = excluded.nodes, updated_at = excluded.updated_at
           RETURNING seq`,
          execution.id,
          execution.flowId,
          execution.questionId,
          execution.chatId,
          execution.sessionId,
          execution.state,
          JSON.stringify(execution.nodes),
          execution.createdAt,
          execution.updatedAt,
        )
        if (inserted && inserted.seq % PRUNE_EVERY === 0) await prune(session, execution.updatedAt)
      }),
    async find(id) {
      const row = await reader.get(`SELECT * FROM executions WHERE id = $1 AND ${NOT_OF_DELETED_FLOWS}`, id)
      return row && executionFromRow(row)
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
      const { rows, total } = await page('*', filter, range)
      return { rows: rows.map(executionFromRow), total }
    },
    async summaries(filter, range) {
      const columns = `${EXECUTION_COLUMNS}, json_array_length(nodes::json) AS steps`
      const { rows, total } = await page(columns, filter, range)
      return { rows: rows.map((row) => ({ ...executionHead(row), steps: row.steps as number })), total }
    },
    async endLost(now) {
      await transaction(
        async (session) => {
          await forgetLostRuns(session)
          await session.run(
            `UPDATE executions SET state = 'TERMINATED', updated_at = $1
             WHERE state = 'INPROGRESS' AND NOT ${HAS_LIVE_RUN}`,
            now,
          )
        },
        { repeatable: true },
      )
    },
    remove: (ids) => writer.run('DELETE FROM executions WHERE id = ANY($1)', ids),
  }
}

async function prune(session: SqlSession, now: number): Promise<void> {
  const { rows, days } = EXECUTIONS_KEPT
  await session.run(
    `DELETE FROM executions WHERE updated_at < $2::bigint
       OR seq <= (SELECT seq FROM executions ORDER BY seq DESC OFFSET $1 LIMIT 1)`,
    rows,
    now - days * DAY,
  )
}
