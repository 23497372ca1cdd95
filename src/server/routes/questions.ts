import { flowParams } from '../../api/params.ts'
import {
  feedbackCandidates,
  proposalBody,
  questionBody,
  questionFiles,
  questionImportBody,
  questionListQuery,
  questionPage,
  questionParams,
  questionPatch,
  questionRemoval,
  questionRemovalQuery,
  questionShape,
  questionsImported,
  questionsStored,
} from '../../api/question.ts'
import type { FlowRow } from '../../contract/flow-store.ts'
import { type Question, QUESTION_LIMITS } from '../../contract/question-store.ts'
import { findFlow } from '../../flow/find-flow.ts'
import { SluiceError } from '../../kit/errors.ts'
import { randomId } from '../../kit/hash.ts'
import { toRange } from '../../kit/paging.ts'
import { isoTime, MANAGEMENT } from '../management.ts'
import type { Platform } from '../platform.ts'
import { ratedQuestions } from '../rated-questions.ts'
import { type Route, route } from '../route.ts'
import { planQuery } from './query.ts'

type NewQuestionRow = Pick<Question, 'text' | 'judgements'> & Partial<Pick<Question, 'state' | 'origin'>>

/** The questions of flows, for managers: they have texts of all documents and of visitors. */
export function questionRoutes(platform: Platform): Route[] {
  const { flows, questions } = platform

  async function find(flow: FlowRow, id: string): Promise<Question> {
    const found = await questions.find(flow.id, id)
    if (!found) throw new SluiceError('question_not_found', { flow: flow.slug, id })
    return found
  }

  /** Stores questions of a flow; those of one call keep their order. */
  async function put(flow: FlowRow, given: readonly NewQuestionRow[]) {
    const now = Date.now()
    const rows = given.map(
      ({ text, judgements, state = 'accepted', origin = 'import' }, at): Question => ({
        ...{ id: randomId(), flowId: flow.id, text, state, origin, judgements },
        ...{ createdAt: now + at, updatedAt: now },
      }),
    )
    return questions.put(flow.id, rows)
  }

  const storeOf = async (flow: FlowRow) => {
    const plan = await planQuery(platform, flow, { fence: undefined, overrides: {} })
    return plan.part
  }

  return [
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/questions/:flowId',
      summary: 'The questions of a flow, with what answers them',
      params: flowParams,
      query: questionListQuery,
      answer: { description: 'A page of questions, the oldest first', shape: questionPage },
      async handle({ params, query }) {
        const { id } = await findFlow(flows, params.flowId)
        const { state, search } = query
        const { rows, total } = await questions.list(id, { ...toRange(query), state, search })
        return { data: rows.map(presentQuestion), total, counts: await questions.counts(id) }
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'POST',
      url: '/api/v1/questions/:flowId',
      summary: 'Add questions to a flow, or judgements to those that it has',
      params: flowParams,
      body: questionBody,
      bodyMegabytes: 16,
      answer: { description: 'The questions', shape: questionsStored },
      async handle({ params, body }) {
        const flow = await findFlow(flows, params.flowId)
        const { stored, added } = await put(
          flow,
          body.questions.map(({ judgements = [], ...rest }) => ({
            text: rest.text,
            judgements: judgements.map(plainJudgement),
            state: rest.state ?? 'accepted',
            origin: rest.origin ?? 'hit',
          })),
        )
        return { questions: stored.map(presentQuestion), numAdded: added }
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'PATCH',
      url: '/api/v1/questions/:flowId/:questionId',
      summary: 'Change a question: its text, accept it, judge something right or wrong, or take that back',
      params: questionParams,
      body: questionPatch,
      answer: { description: 'The question', shape: questionShape },
      async handle({ params, body }) {
        const flow = await findFlow(flows, params.flowId)
        const changed = await questions.change(flow.id, params.questionId, {
          ...{ text: body.text, state: body.state, now: Date.now() },
          put: body.judge?.map(plainJudgement),
          drop: body.unjudge?.map((one) => plainJudgement({ ...one, grade: 0 })),
        })
        return presentQuestion(changed ?? (await find(flow, params.questionId)))
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'DELETE',
      url: '/api/v1/questions/:flowId/:questionId',
      summary: 'Remove a question; the runs that asked it keep its result',
      params: questionParams,
      answer: { description: 'How many were removed', shape: questionRemoval },
      async handle({ params }) {
        const flow = await findFlow(flows, params.flowId)
        const { id } = await find(flow, params.questionId)
        return { numRemoved: await questions.remove(flow.id, { ids: [id] }) }
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'DELETE',
      url: '/api/v1/questions/:flowId',
      summary: 'Remove all questions of a state, such as all proposals',
      params: flowParams,
      query: questionRemovalQuery,
      answer: { description: 'How many were removed', shape: questionRemoval },
      async handle({ params, query }) {
        const { id } = await findFlow(flows, params.flowId)
        return { numRemoved: await questions.remove(id, query) }
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/questions/:flowId/export',
      summary:
        'The accepted questions of a flow as files of a collection: corpus.jsonl, queries.jsonl, qrels.tsv',
      params: flowParams,
      answer: { description: 'The texts of the files', shape: questionFiles },
      async handle({ params }) {
        const flow = await findFlow(flows, params.flowId)
        const { exportQuestions } = await import('../../evaluate/questions/transfer.ts')
        const page = { state: 'accepted', offset: 0, limit: QUESTION_LIMITS.questions } as const
        const { rows } = await questions.list(flow.id, page)
        return exportQuestions(rows, (await storeOf(flow)).store)
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'POST',
      url: '/api/v1/questions/:flowId/import',
      summary: 'Add the questions of a collection; judged documents that the store does not have are told',
      params: flowParams,
      body: questionImportBody,
      bodyMegabytes: 32,
      answer: { description: 'What was taken, and what was not', shape: questionsImported },
      async handle({ params, body }) {
        const flow = await findFlow(flows, params.flowId)
        const { readQuestions } = await import('../../evaluate/questions/transfer.ts')
        const { store } = await storeOf(flow)
        const { corpus, queries, qrels } = body
        const files = { queries, qrels, ...(corpus == null ? {} : { corpus }) }
        const { questions: found, ...rest } = await readQuestions(
          files,
          async (source) => (await store.chunks({ source, offset: 0, limit: 1 })).total > 0,
        )
        const added = found.length === 0 ? 0 : (await put(flow, found)).added
        return { numAdded: added, numChanged: found.length - added, ...rest }
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'POST',
      url: '/api/v1/questions/:flowId/proposals',
      summary:
        'Propose questions, made from the documents of a flow without a language model; they wait to be accepted',
      params: flowParams,
      body: proposalBody,
      answer: { description: 'The proposals', shape: questionsStored },
      async handle({ params, body, clientGone }) {
        const flow = await findFlow(flows, params.flowId)
        const { proposeQuestions } = await import('../../evaluate/questions/propose.ts')
        const part = await storeOf(flow)
        const options = { signal: clientGone(), ...(body.limit === undefined ? {} : { limit: body.limit }) }
        const proposed = await proposeQuestions(part, options)
        if (proposed.length === 0) return { questions: [], numAdded: 0 }
        const { stored, added } = await put(
          flow,
          proposed.map(({ text, judgement }) => ({
            ...{ text, judgements: [judgement], state: 'proposed' as const, origin: 'proposal' as const },
          })),
        )
        return { questions: stored.map(presentQuestion), numAdded: added }
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/questions/:flowId/feedback',
      summary: 'What visitors asked and rated, as questions that can be confirmed',
      params: flowParams,
      answer: { description: 'The candidates, the newest first', shape: feedbackCandidates },
      async handle({ params }) {
        const { id } = await findFlow(flows, params.flowId)
        return { data: await ratedQuestions(platform, id) }
      },
    }),
  ]
}

type GivenJudgement = {
  source: string
  grade: number
  passage?: { quote: string; start?: number | undefined; end?: number | undefined } | undefined
}

/** A judgement without fields that are not there. */
function plainJudgement({ source, grade, passage }: GivenJudgement): Question['judgements'][number] {
  if (!passage) return { source, grade }
  const { quote, start, end } = passage
  const place = start === undefined || end === undefined ? {} : { start, end }
  return { source, passage: { quote, ...place }, grade }
}

const presentQuestion = ({ flowId: _, createdAt, updatedAt, ...question }: Question) => ({
  ...question,
  createdAt: isoTime(createdAt),
  updatedAt: isoTime(updatedAt),
})
