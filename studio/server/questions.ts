import type {
  EvalAnswer,
  FeedbackCandidates,
  QuestionAnswer,
  QuestionBody,
  QuestionFilesAnswer,
  QuestionPageAnswer,
  QuestionPatch,
  QuestionsImported,
  QuestionsStored,
  EvalRunAnswer,
  EvalRunHead,
} from '../../src/api/question.ts'
import type { FlowHits } from './ask.ts'
import { call } from './call.ts'
import { hasEnded, type Job, listJobs } from './jobs.ts'

export type Question = QuestionAnswer
export type Judgement = QuestionAnswer['judgements'][number]
export type QuestionList = QuestionPageAnswer
export type QuestionRun = EvalRunAnswer
export type QuestionResult = EvalRunAnswer['results'][number]
export type QuestionRunHead = EvalRunHead
export type RatedQuestion = FeedbackCandidates['data'][number]
export type Imported = QuestionsImported
export type QuestionFiles = QuestionFilesAnswer

const of = (flow: string) => `/api/v1/questions/${encodeURIComponent(flow)}`
const evalOf = (flow: string) => `/api/v1/eval/${encodeURIComponent(flow)}`

export const listQuestions = (
  flow: string,
  query: { state?: Question['state']; search?: string; page?: number; limit?: number },
): Promise<QuestionList> => call(of(flow), { query })

/** What one text is to the questions of a flow, as the server reads it. */
const keyOf = (text: string) => text.normalize('NFC').trim().replace(/\s+/gu, ' ').toLowerCase()

/** The question of a flow with a text; null where it has none. */
export async function findQuestion(flow: string, text: string): Promise<Question | null> {
  const { data } = await listQuestions(flow, { search: text.trim().slice(0, 200), limit: 100 })
  return data.find((one) => keyOf(one.text) === keyOf(text)) ?? null
}

export const addQuestions = (flow: string, questions: QuestionBody['questions']): Promise<QuestionsStored> =>
  call(of(flow), { method: 'POST', body: { questions } })

export const changeQuestion = (flow: string, id: string, body: QuestionPatch): Promise<Question> =>
  call(`${of(flow)}/${encodeURIComponent(id)}`, { method: 'PATCH', body })

export const removeQuestion = (flow: string, id: string): Promise<unknown> =>
  call(`${of(flow)}/${encodeURIComponent(id)}`, { method: 'DELETE' })

export const refuseProposals = (flow: string): Promise<unknown> =>
  call(of(flow), { method: 'DELETE', query: { state: 'proposed' } })

export const proposeQuestions = (flow: string): Promise<QuestionsStored> =>
  call(`${of(flow)}/proposals`, { method: 'POST', body: {} })

export const exportQuestions = (flow: string): Promise<QuestionFiles> => call(`${of(flow)}/export`)

export const importQuestions = (
  flow: string,
  files: { corpus?: string; queries: string; qrels: string },
): Promise<Imported> => call(`${of(flow)}/import`, { method: 'POST', body: files })

export const listRated = (flow: string): Promise<{ data: RatedQuestion[] }> => call(`${of(flow)}/feedback`)

/** How many chunks are shown to pick from. */
const PICKED_FROM = 20

/** Chunks of all documents that have some words, best first; a threshold of the flow does not count. */
export async function searchChunks(flow: string, query: string): Promise<FlowHits['docs']> {
  const settings = { mode: 'hybrid', weight: 0, minScore: -1, rerank: false, rescore: false }
  const { docs } = await call<FlowHits>(`/api/v1/vector/query/${encodeURIComponent(flow)}`, {
    method: 'POST',
    body: { query, topK: PICKED_FROM, ...settings },
  })
  return docs.filter(({ scores }) => scores.keyword !== null)
}

/** Starts a job that asks a flow its questions, and gives its id. */
export async function startEval(flow: string): Promise<string> {
  const { jobId } = await call<{ jobId: string }>(evalOf(flow), {
    method: 'POST',
    body: {},
    query: { async: true },
  })
  return jobId
}

/** The eval of a flow that waits or runs; undefined where there is none. */
export async function openEval(flowId: string): Promise<Job | undefined> {
  const { data } = await listJobs({ flowId, kind: 'eval', page: 1, limit: 1 })
  return data[0] && !hasEnded(data[0]) ? data[0] : undefined
}

/** The result of an eval. */
export const evalResultOf = ({ kind, result }: Job): EvalAnswer | undefined =>
  kind === 'eval' && result ? (result as unknown as EvalAnswer) : undefined

/** The newest run; null where there is none. */
export async function lastRun(flow: string): Promise<QuestionRun | null> {
  const { total } = await listRuns(flow, 1)
  return total === 0 ? null : call(`${evalOf(flow)}/runs/last`)
}

export const listRuns = (flow: string, limit: number): Promise<{ data: QuestionRunHead[]; total: number }> =>
  call(`${evalOf(flow)}/runs`, { query: { page: 1, limit } })
