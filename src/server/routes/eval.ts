import { jobHeaders } from '../../api/job-request.ts'
import { flowParams } from '../../api/params.ts'
import { pageQuery } from '../../api/paging.ts'
import { evalBody, evalQuery, evalShape, runPage, runParams, evalRunShape } from '../../api/question.ts'
import { QUESTION_LIMITS, type QuestionRun, type QuestionRunHead } from '../../contract/question-store.ts'
import { changeOf, RESULT_CHANGES } from '../../evaluate/questions/changed-results.ts'
import { findFlow } from '../../flow/find-flow.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { Json } from '../../kit/json.ts'
import { toRange } from '../../kit/paging.ts'
import { ownerOfJobs } from '../caller.ts'
import { idempotencyOf } from '../../jobs/submit.ts'
import { acceptedAnswer, answerJob } from '../job-answer.ts'
import { isoTime, MANAGEMENT } from '../management.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'

/** Runs of the questions of flows, and what they gave. */
export function evalRoutes(platform: Platform): Route[] {
  const { evaluations, flows, jobs, questions } = platform
  return [
    route({
      ...MANAGEMENT,
      method: 'POST',
      url: '/api/v1/eval/:flowId',
      summary:
        'Ask a flow its accepted questions in its live index, as its users meet it, and keep the result of each',
      params: flowParams,
      query: evalQuery,
      body: evalBody,
      headers: jobHeaders,
      answer: { description: 'The measures, and how they differ from the run before', shape: evalShape },
      also: [acceptedAnswer],
      async handle({ params, request, reply, query, body, caller }) {
        const flow = await findFlow(flows, params.flowId)
        const stopNodeId = body.stopNodeId || undefined
        const prepared = await evaluations.prepare(flow, { cause: 'asked', stopNodeId })
        const content = ['eval', body as Json]
        const submitted = await jobs.submit({
          ...prepared,
          kind: 'eval',
          flowId: flow.id,
          owner: ownerOfJobs(await caller(), flow),
          idempotency: await idempotencyOf(request, { flowId: flow.id, caller, content }),
        })
        return answerJob(platform, submitted, { request, reply, async: query.async })
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/eval/:flowId/runs',
      summary: 'The runs of the questions of a flow, with their measures; the newest 100 are kept',
      params: flowParams,
      query: pageQuery,
      answer: { description: 'A page of runs, the newest first', shape: runPage },
      async handle({ params, query }) {
        const { id } = await findFlow(flows, params.flowId)
        const { rows, total } = await questions.runs(id, toRange(query))
        return { data: rows.map(presentRun), total }
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/eval/:flowId/runs/:runId',
      summary: 'One run with the result of each question, compared with the run before',
      params: runParams,
      answer: { description: 'The run', shape: evalRunShape },
      async handle({ params }) {
        const flow = await findFlow(flows, params.flowId)
        const isLast = params.runId === 'last'
        const [last] = isLast ? await questions.lastRuns(flow.id, 1) : []
        const run = isLast ? last : await questions.run(flow.id, params.runId)
        if (!run)
          throw new SluiceError('question_run_not_found', {
            ...{ flow: flow.slug, id: params.runId, limit: QUESTION_LIMITS.runs },
          })
        const { rows } = await questions.runs(flow.id, { offset: 0, limit: QUESTION_LIMITS.runs })
        const head = rows[rows.findIndex(({ id }) => id === run.id) + 1]
        const before = head && (await questions.run(flow.id, head.id))
        return { ...presentRun(run), before: before ? presentRun(before) : null, ...compared(run, before) }
      },
    }),
  ]
}

const presentRun = ({ id, revision, cause, measures, startedAt, finishedAt }: QuestionRunHead) => ({
  ...{ id, revision, cause, measures },
  ...{ startedAt: isoTime(startedAt), finishedAt: isoTime(finishedAt) },
})

/** The results with how each differs from the run before, those that became worse first. */
function compared({ results }: QuestionRun, before: QuestionRun | undefined) {
  const earlier = new Map((before?.results ?? []).map((one) => [one.question, one]))
  const rows = results.map((one) => {
    const was = earlier.get(one.question)
    return { ...one, change: changeOf(one, was), ...(was ? { was: was.place } : {}) }
  })
  const order = (change: (typeof rows)[number]['change']) => RESULT_CHANGES.indexOf(change)
  return { results: rows.toSorted((one, other) => order(one.change) - order(other.change)) }
}
