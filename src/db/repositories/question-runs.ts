import { QUESTION_LIMITS, type QuestionRun, type QuestionRunHead } from '../../contract/question-store.ts'
import type { SqlDatabase, SqlRow, SqlWrite } from '../sql/session.ts'
import { countRows, insertRow } from '../sql/statements.ts'

const HEAD = 'id, flow_id, revision, cause, measures, started_at, finished_at'
const NEWEST_FIRST = 'ORDER BY finished_at DESC, id DESC'

export const keepQuestionRun: SqlWrite<QuestionRun, void> = {
  name: 'keepQuestionRun',
  grows: true,
  repeatable: true,
  async run(session, { id, flowId, revision, cause, measures, results, startedAt, finishedAt }) {
    // A run may end after its flow was removed.
    const flow = await session.get(`SELECT id FROM flows WHERE id = ? ${session.dialect.forShare}`, flowId)
    if (!flow) return
    await insertRow(
      session,
      'question_runs',
      {
        ...{ id, flow_id: flowId, revision, cause, measures: JSON.stringify(measures) },
        ...{ results: JSON.stringify(results), started_at: startedAt, finished_at: finishedAt },
      },
      `ON CONFLICT (id) DO UPDATE SET measures = excluded.measures, results = excluded.results,
         started_at = excluded.started_at, finished_at = excluded.finished_at`,
    )
    await session.run(
      `DELETE FROM question_runs WHERE flow_id = ? AND id NOT IN (
         SELECT id FROM question_runs WHERE flow_id = ? ${NEWEST_FIRST} LIMIT ?)`,
      flowId,
      flowId,
      QUESTION_LIMITS.runs,
    )
  },
}

/** The runs of the questions of flows. */
export function questionRunReads({ reader }: SqlDatabase) {
  return {
    async runs(flowId: string, { offset, limit }: { offset: number; limit: number }) {
      const rows = await reader.all(
        `SELECT ${HEAD} FROM question_runs WHERE flow_id = ? ${NEWEST_FIRST} LIMIT ? OFFSET ?`,
        ...[flowId, limit, offset],
      )
      return {
        rows: rows.map(headFromRow),
        total: await countRows(reader, 'question_runs', 'flow_id = ?', [flowId]),
      }
    },
    async run(flowId: string, id: string): Promise<QuestionRun | undefined> {
      const row = await reader.get('SELECT * FROM question_runs WHERE id = ? AND flow_id = ?', id, flowId)
      return row && runFromRow(row)
    },
    async lastRuns(flowId: string, limit: number): Promise<QuestionRun[]> {
      const rows = await reader.all(
        `SELECT * FROM question_runs WHERE flow_id = ? ${NEWEST_FIRST} LIMIT ?`,
        flowId,
        limit,
      )
      return rows.map(runFromRow)
    },
  }
}

const headFromRow = (row: SqlRow): QuestionRunHead => ({
  id: row.id as string,
  flowId: row.flow_id as string,
  revision: row.revision as number,
  cause: row.cause as QuestionRun['cause'],
  measures: JSON.parse(row.measures as string) as QuestionRun['measures'],
  startedAt: row.started_at as number,
  finishedAt: row.finished_at as number,
})

const runFromRow = (row: SqlRow): QuestionRun => ({
  ...headFromRow(row),
  results: JSON.parse(row.results as string) as QuestionRun['results'],
})
