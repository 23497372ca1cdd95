import {
  type Question,
  QUESTION_LIMITS,
  type QuestionChange,
  type QuestionJudgement,
  type QuestionState,
  type QuestionStore,
} from '../../contract/question-store.ts'
import { questionKey } from '../../documents/question-key.ts'
import { SluiceError } from '../../kit/errors.ts'
import { sha256 } from '../../kit/hash.ts'
import type { SqlDatabase, SqlRow, SqlSession, SqlWrite } from '../sql/session.ts'
import { allOf, countRows, insertEach, updateRow } from '../sql/statements.ts'
import { keepQuestionRun, questionRunReads } from './question-runs.ts'

const BY_KEY = { index: 'questions_by_key', columns: 'questions.flow_id, questions.key' }

const keyOf = (text: string): string => sha256(questionKey(text))

/** What tells one judgement of a question from another. */
const placeOf = ({ source, passage }: Pick<QuestionJudgement, 'source' | 'passage'>): string =>
  JSON.stringify([source, passage ? questionKey(passage.quote) : null])

/** Judgements with others in place of those of the same source and quote. @throws SluiceError `question_over_limit` */
function mergedJudgements(
  present: readonly QuestionJudgement[],
  { put = [], drop = [] }: Pick<QuestionChange, 'put' | 'drop'>,
): QuestionJudgement[] {
  const merged = new Map(present.map((one) => [placeOf(one), one]))
  for (const one of drop) merged.delete(placeOf(one))
  for (const one of put) merged.set(placeOf(one), one)
  if (merged.size > QUESTION_LIMITS.judgements)
    throw new SluiceError('question_over_limit', { what: 'judgements', limit: QUESTION_LIMITS.judgements })
  return [...merged.values()]
}

type PutRequest = { flowId: string; questions: readonly Question[] }
type Put = Awaited<ReturnType<QuestionStore['put']>>

export const putQuestions: SqlWrite<PutRequest, Put> = {
  name: 'putQuestions',
  grows: true,
  async run(session, { flowId, questions }) {
    const { forUpdate } = session.dialect
    // The lock has two requests at once not pass the limit together, nor add a text twice.
    const flow = await session.get(`SELECT id FROM flows WHERE id = ? ${forUpdate}`, flowId)
    if (!flow) throw new SluiceError('flow_not_found', { flow: flowId })
    const keys = questions.map(({ text }) => keyOf(text))
    const rows = await session.all('SELECT * FROM questions WHERE flow_id = ? AND key IN (?)', flowId, [
      ...new Set(keys),
    ])
    const known = new Map(rows.map((row) => [row.key as string, questionFromRow(row)]))
    const fresh = new Set<string>()
    for (const [at, given] of questions.entries()) {
      const key = keys[at]!
      const present = known.get(key)
      if (!present) fresh.add(key)
      known.set(key, {
        ...(present ?? given),
        state: present?.state === 'accepted' ? 'accepted' : given.state,
        judgements: mergedJudgements(present?.judgements ?? [], { put: given.judgements }),
        updatedAt: given.updatedAt,
      })
    }
    const count = (await countRows(session, 'questions', 'flow_id = ?', [flowId])) + fresh.size
    if (fresh.size > 0 && count > QUESTION_LIMITS.questions)
      throw new SluiceError('questions_full', { limit: QUESTION_LIMITS.questions })
    const added = [...fresh].map((key) => ({ ...columnsOf(known.get(key)!), flow_id: flowId, key }))
    await insertEach(session, 'questions', added)
    for (const key of new Set(keys))
      if (!fresh.has(key)) {
        const { id, ...columns } = columnsOf(known.get(key)!)
        await updateRow(session, 'questions', id, columns)
      }
    return { stored: keys.map((key) => known.get(key)!), added: fresh.size }
  },
}

type ChangeRequest = { flowId: string; id: string; change: QuestionChange }

export const changeQuestion: SqlWrite<ChangeRequest, Question | undefined> = {
  name: 'changeQuestion',
  grows: true,
  async run(session, { flowId, id, change }) {
    const found = await session.get(
      `SELECT * FROM questions WHERE id = ? AND flow_id = ? ${session.dialect.forUpdate}`,
      id,
      flowId,
    )
    if (!found) return undefined
    const present = questionFromRow(found)
    const changed: Question = {
      ...present,
      text: change.text ?? present.text,
      state: change.state ?? present.state,
      judgements: mergedJudgements(present.judgements, change),
      updatedAt: change.now,
    }
    const { id: _, ...columns } = columnsOf(changed)
    try {
      await updateRow(session, 'questions', id, { ...columns, key: keyOf(changed.text) })
    } catch (error) {
      if (session.dialect.isDuplicate(error, BY_KEY)) throw new SluiceError('question_taken')
      throw error
    }
    return changed
  },
}

type RemoveRequest = { flowId: string; which: { ids: readonly string[] } | { state: QuestionState } }

export const removeQuestions: SqlWrite<RemoveRequest, number> = {
  name: 'removeQuestions',
  isOneStatement: true,
  run: (session, { flowId, which }) =>
    'ids' in which
      ? session.run('DELETE FROM questions WHERE flow_id = ? AND id IN (?)', flowId, which.ids)
      : session.run('DELETE FROM questions WHERE flow_id = ? AND state = ?', flowId, which.state),
}

function conditionOf(
  { dialect }: SqlSession,
  flowId: string,
  { state, search }: Pick<Parameters<QuestionStore['list']>[1], 'state' | 'search'>,
) {
  return allOf(
    ['flow_id = ?', flowId],
    ['state = ?', state],
    search ? dialect.contains('text', search) : undefined,
  )
}

/** The questions of flows, and what their runs gave. */
export function questionStore(database: SqlDatabase): QuestionStore {
  const { reader, write } = database
  return {
    async list(flowId, { offset, limit, ...filter }) {
      const { where, values } = conditionOf(reader, flowId, filter)
      const rows = await reader.all(
        `SELECT * FROM questions WHERE ${where} ORDER BY created_at, id LIMIT ? OFFSET ?`,
        ...values,
        limit,
        offset,
      )
      return { rows: rows.map(questionFromRow), total: await countRows(reader, 'questions', where, values) }
    },
    async find(flowId, id) {
      const row = await reader.get('SELECT * FROM questions WHERE id = ? AND flow_id = ?', id, flowId)
      return row && questionFromRow(row)
    },
    async counts(flowId) {
      const rows = await reader.all<{ state: QuestionState; n: number }>(
        'SELECT state, count(*) AS n FROM questions WHERE flow_id = ? GROUP BY state',
        flowId,
      )
      const of = (state: QuestionState) => rows.find((row) => row.state === state)?.n ?? 0
      return { accepted: of('accepted'), proposed: of('proposed') }
    },
    put: (flowId, questions) => write(putQuestions, { flowId, questions }),
    change: (flowId, id, change) => write(changeQuestion, { flowId, id, change }),
    remove: (flowId, which) => write(removeQuestions, { flowId, which }),
    keepRun: (run) => write(keepQuestionRun, run),
    ...questionRunReads(database),
  }
}

const columnsOf = ({ id, text, state, origin, judgements, createdAt, updatedAt }: Question) => ({
  ...{ id, text, state, origin, judgements: JSON.stringify(judgements) },
  ...{ created_at: createdAt, updated_at: updatedAt },
})

const questionFromRow = (row: SqlRow): Question => ({
  id: row.id as string,
  flowId: row.flow_id as string,
  text: row.text as string,
  state: row.state as Question['state'],
  origin: row.origin as Question['origin'],
  judgements: JSON.parse(row.judgements as string) as QuestionJudgement[],
  createdAt: row.created_at as number,
  updatedAt: row.updated_at as number,
})
