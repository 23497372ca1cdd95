import type { ChatRunStore } from '../../contract/chat-run-store.ts'
import { LOST } from '../rows/execution.ts'
import type { SqlWrite } from '../sql/session.ts'
import type { PostgresDatabase } from './database.ts'

/** An answer whose member was silent for longer is lost. */
const SILENT = '10 seconds'

/** How long the row of a lost answer stays: its member may be frozen, and must find the request to stop when it goes on. */
const KEPT = '1 hour'

/** Ends the executions of members that are gone: other members have answers in progress. */
export const endExecutionsOfLostRuns: SqlWrite<number, void> = {
  name: 'endExecutionsOfLostRuns',
  repeatable: true,
  async run(session, now) {
    await session.run(`DELETE FROM chat_runs WHERE seen < clock_timestamp() - interval '${KEPT}'`)
    await session.run(
      `UPDATE executions SET state = 'TERMINATED', updated_at = ?, failure = ?
       WHERE state = 'INPROGRESS' AND NOT EXISTS (
         SELECT 1 FROM chat_runs WHERE chat_runs.flow_id = executions.flow_id AND chat_runs.chat_id = executions.chat_id
           AND seen > clock_timestamp() - interval '${SILENT}')`,
      now,
      JSON.stringify(LOST),
    )
  },
}

/** The answers in progress on all members. */
export const postgresChatRunStore = ({
  writer,
  transaction,
}: Pick<PostgresDatabase, 'writer' | 'transaction'>): ChatRunStore => ({
  async begin({ id, flowId, chatId, owner }) {
    const insert = `INSERT INTO chat_runs (id, flow_id, chat_id, owner) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`
    await transaction((sql) => sql.run(insert, id, flowId, chatId, owner), { repeatable: true })
  },
  async end(id) {
    await writer.run('DELETE FROM chat_runs WHERE id = $1', id)
  },
  async askToStop({ flowId, chatId, owner }, anyOwner) {
    const mark = `UPDATE chat_runs SET must_stop = true
      WHERE flow_id = $1 AND chat_id = $2 AND ($4 OR owner IS NOT DISTINCT FROM $3)`
    await transaction((sql) => sql.run(mark, flowId, chatId, owner, anyOwner), { repeatable: true })
  },
  async beat(ids) {
    const rows = await writer.all<{ id: string }>(
      `WITH mine AS (
         UPDATE chat_runs SET seen = clock_timestamp() WHERE id = ANY($1) RETURNING id, must_stop)
       SELECT id FROM unnest($1::text[]) AS asked (id)
       WHERE NOT EXISTS (SELECT 1 FROM mine WHERE mine.id = asked.id AND NOT must_stop)`,
      ids,
    )
    return rows.map(({ id }) => id)
  },
})
