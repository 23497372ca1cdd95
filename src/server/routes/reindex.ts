import { z } from 'zod'
import { asyncQuery, jobHeaders } from '../../api/job.ts'
import { jsonObject } from '../../api/json.ts'
import type { Json } from '../../kit/json.ts'
import { flowSource } from '../flow-row.ts'
import { idempotencyOf } from '../idempotency.ts'
import { accepted, answerJob } from '../job-request.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'

const count = z.number().int().min(0)

export function reindexRoutes(platform: Platform): Route[] {
  const { jobs, reindexes } = platform
  return [
    route({
      method: 'POST',
      url: '/api/v1/vector/reindex/:flowId',
      summary: 'Embed all that a flow holds anew, with the embedder that it has now',
      tag: 'vectors',
      access: { flow: 'upsert' },
      params: z.object({ flowId: z.string() }),
      query: asyncQuery,
      body: z.looseObject({ overrideConfig: jsonObject.nullish(), stopNodeId: z.string().nullish() }),
      headers: jobHeaders,
      answer: {
        description: 'How many chunks have new vectors, and how many texts were embedded for them',
        shape: z.object({
          numChunks: count,
          numEmbedded: count,
          embedder: z.string(),
          dimensions: count.nullable(),
          warnings: z.array(z.object({ key: z.string(), reason: z.string() })),
          jobId: z.string(),
          timeTaken: z.number(),
        }),
      },
      also: [accepted],
      async handle({ flow, request, reply, query, body, caller }) {
        const prepared = reindexes.prepare(flowSource(flow), {
          overrides: body.overrideConfig ?? {},
          stopNodeId: body.stopNodeId || undefined,
        })
        const content = ['reindex', body as Json]
        const submitted = await jobs.submit({
          ...prepared,
          kind: 'reindex',
          flowId: flow.id,
          idempotency: await idempotencyOf(request, { flowId: flow.id, caller, content }),
        })
        return answerJob(platform, submitted, { request, reply, async: query.async })
      },
    }),
  ]
}
