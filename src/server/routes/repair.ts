import { jobHeaders } from '../../api/job-request.ts'
import { flowParams } from '../../api/params.ts'
import { repairBody, repairQuery, repairShape } from '../../api/repair.ts'
import { findFlow, flowSource } from '../../flow/find-flow.ts'
import type { Json } from '../../kit/json.ts'
import { ownerOfJobs } from '../caller.ts'
import { idempotencyOf } from '../../jobs/submit.ts'
import { acceptedAnswer, answerJob } from '../job-answer.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'

export function repairRoutes(platform: Platform): Route[] {
  const { flows, jobs, repairs, verifications } = platform
  return [
    route({
      method: 'POST',
      url: '/api/v1/vector/repair/:flowId',
      summary:
        'Compare the points of a vector engine with the chunks of a flow, and mend what differs: missing points, strangers, damaged vectors',
      tag: 'vectors',
      access: 'manage',
      params: flowParams,
      query: repairQuery,
      body: repairBody,
      headers: jobHeaders,
      answer: {
        description: 'What differed, what was mended, how many texts that cost, and what is left',
        shape: repairShape,
      },
      also: [acceptedAnswer],
      async handle({ params, request, reply, query, body, caller }) {
        const flow = await findFlow(flows, params.flowId)
        const { dryRun = false } = query
        const prepared = (dryRun ? verifications : repairs).prepare(flowSource(flow), {
          overrides: body.overrideConfig ?? {},
          stopNodeId: body.stopNodeId || undefined,
        })
        const content = ['repair', body as Json]
        const submitted = await jobs.submit({
          ...prepared,
          kind: dryRun ? 'verify' : 'repair',
          flowId: flow.id,
          owner: ownerOfJobs(await caller(), flow),
          idempotency: await idempotencyOf(request, { flowId: flow.id, caller, content }),
        })
        return answerJob(platform, submitted, { request, reply, async: query.async })
      },
    }),
  ]
}
