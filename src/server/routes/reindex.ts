import { asyncQuery, jobHeaders } from '../../api/job-request.ts'
import { flowParams } from '../../api/params.ts'
import { reindexBody, reindexShape } from '../../api/upsert.ts'
import type { Json } from '../../kit/json.ts'
import { idempotencyOf } from '../../jobs/submit.ts'
import { acceptedAnswer, answerJob } from '../job-answer.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'
import { flowSource } from '../../flow/find-flow.ts'

export function reindexRoutes(platform: Platform): Route[] {
  const { jobs, reindexes } = platform
  return [
    route({
      method: 'POST',
      url: '/api/v1/vector/reindex/:flowId',
      summary: 'Embed all chunks of a flow again with its current embedder',
      tag: 'vectors',
      access: { flow: 'upsert' },
      params: flowParams,
      query: asyncQuery,
      body: reindexBody,
      headers: jobHeaders,
      answer: {
        description: 'The number of chunks with new vectors, and of texts that were embedded',
        shape: reindexShape,
      },
      also: [acceptedAnswer],
      async handle({ flow, request, reply, query, body, caller, owner }) {
        const prepared = reindexes.prepare(flowSource(flow), {
          overrides: body.overrideConfig ?? {},
          stopNodeId: body.stopNodeId || undefined,
        })
        const content = ['reindex', body as Json]
        const submitted = await jobs.submit({
          ...prepared,
          kind: 'reindex',
          flowId: flow.id,
          owner: await owner(),
          idempotency: await idempotencyOf(request, { flowId: flow.id, caller, content }),
        })
        return answerJob(platform, submitted, { request, reply, async: query.async })
      },
    }),
  ]
}
