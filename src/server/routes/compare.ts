import {
  comparisonPage,
  comparisonParams,
  comparisonShape,
  type CompareBody,
  compareBody,
} from '../../api/compare.ts'
import { jobHeaders } from '../../api/job-request.ts'
import { pageQuery } from '../../api/paging.ts'
import { flowParams } from '../../api/params.ts'
import type { ComparedDrawing } from '../../contract/comparison.ts'
import type { FlowRow } from '../../contract/flow-store.ts'
import { findFlow, flowSource } from '../../flow/find-flow.ts'
import type { JobView } from '../../jobs/active/job-view.ts'
import { jobsUnderWay } from '../../jobs/jobs-under-way.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { Json, JsonObject } from '../../kit/json.ts'
import { toRange } from '../../kit/paging.ts'
import { ownerOfJobs } from '../caller.ts'
import { idempotencyOf } from '../../jobs/submit.ts'
import { acceptedAnswer } from '../job-answer.ts'
import { isoTime, MANAGEMENT } from '../management.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'

/** Comparisons of variants of a flow. Each is a job: `/api/v1/jobs` follows and cancels it. */
export function compareRoutes({ comparisons, flows, jobs }: Platform): Route[] {
  /** @throws SluiceError `comparison_running` */
  async function refuseSecond(flow: FlowRow): Promise<void> {
    const [first] = await jobsUnderWay(jobs, { flowId: flow.id, kind: 'compare', limit: 1 })
    if (first) throw new SluiceError('comparison_running', { flow: flow.slug, job: first.id })
  }

  return [
    route({
      ...MANAGEMENT,
      method: 'POST',
      url: '/api/v1/compare/:flowId',
      summary:
        'Compare two to eight variants of a flow over its documents and accepted questions, in temporary indexes; nothing that users see changes',
      params: flowParams,
      body: compareBody,
      bodyMegabytes: 16,
      headers: jobHeaders,
      answer: acceptedAnswer,
      async handle({ params, request, reply, body, caller }) {
        const flow = await findFlow(flows, params.flowId)
        const content = ['compare', body as unknown as Json]
        const idempotency = await idempotencyOf(request, { flowId: flow.id, caller, content })
        const repeated = idempotency && (await jobs.findRepeated(idempotency))
        if (!repeated) await refuseSecond(flow)
        const prepared = await comparisons.prepare(flowSource(flow), {
          variants: body.variants.map(drawingOf),
          looks: body.looks ?? 1,
        })
        const submitted = await jobs.submit({
          ...prepared,
          kind: 'compare',
          flowId: flow.id,
          owner: ownerOfJobs(await caller(), flow),
          idempotency,
        })
        if (submitted.repeated) reply.header('idempotent-replayed', 'true')
        const { id } = submitted.job
        return reply
          .code(202)
          .header('location', `/api/v1/compare/${flow.id}/${id}`)
          .send({ jobId: id, state: 'queued' })
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/compare/:flowId',
      summary: 'The comparisons of a flow, without their results',
      params: flowParams,
      query: pageQuery,
      answer: { description: 'A page of comparisons, the newest first', shape: comparisonPage },
      async handle({ params, query }) {
        const { id } = await findFlow(flows, params.flowId)
        const { rows, total } = await jobs.list({ flowId: id, kind: 'compare', ...toRange(query) })
        return { data: rows.map(headOf), total }
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/compare/:flowId/:jobId',
      summary:
        'One comparison: the figures and the verdict of each variant, and each question, worse answers first',
      params: comparisonParams,
      answer: { description: 'The comparison', shape: comparisonShape },
      async handle({ params }) {
        const flow = await findFlow(flows, params.flowId)
        const job = await jobs.find(params.jobId)
        if (job?.kind !== 'compare' || job.flowId !== flow.id)
          throw new SluiceError('comparison_not_found', { flow: flow.slug, id: params.jobId })
        return { ...headOf(job), outcome: job.result && outcomeOf(job.result) }
      },
    }),
  ]
}

/** The result of a comparison without what every job adds to its own. */
function outcomeOf({ jobId: _job, timeTaken: _took, ...outcome }: JsonObject): JsonObject {
  return outcome
}

const headOf = ({ id, state, attempt, createdAt, error }: JobView) => ({
  ...{ id, state, attempt, createdAt: isoTime(createdAt) },
  error: error && { code: error.code, message: error.message },
})

/** A variant as the request has it. An empty value is none. */
function drawingOf({ name, inputs, revision, flowData }: CompareBody['variants'][number]): ComparedDrawing {
  const text = typeof flowData === 'string' ? flowData : flowData && JSON.stringify(flowData)
  return {
    name,
    ...(inputs ? { inputs } : {}),
    ...(revision ? { revision } : {}),
    ...(text ? { flowData: text } : {}),
  }
}
