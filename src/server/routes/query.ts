import { z } from 'zod'
import { planQuery } from '../../flow/plan.ts'
import { parseFilter } from '../../vector/filter.ts'
import type { FlowRow } from '../../db/flows.ts'
import { flowSource } from '../flow-row.ts'
import type { Platform } from '../platform.ts'
import { jsonObject, type Route, route } from '../route.ts'

const topK = z.coerce.number().int().min(1).max(1000)
const mode = z.enum(['hybrid', 'vector', 'keyword'])

const queryBody = z
  .looseObject({
    query: z.string().min(1).max(100_000).nullish(),
    queries: z.array(z.string().min(1).max(100_000)).min(1).max(100).nullish(),
    topK: topK.nullish(),
    mode: mode.nullish(),
    filter: jsonObject.nullish(),
    minScore: z.number().min(-1).max(1).nullish(),
    overrideConfig: jsonObject.nullish(),
    stopNodeId: z.string().nullish(),
  })
  .refine((body) => (body.query == null) !== (body.queries == null), 'send either query or queries')

type QueryBody = z.output<typeof queryBody>

const hit = z.object({
  pageContent: z.string(),
  metadata: jsonObject,
  id: z.string(),
  score: z.number(),
  scores: z.object({ vector: z.number().nullable(), keyword: z.number().nullable() }),
})

const warnings = z.array(z.object({ key: z.string(), reason: z.string() })).optional()

const answer = {
  description: 'The matching chunks, best first; for several queries a list of such answers',
  shape: z.union([
    z.object({ docs: z.array(hit), timeTaken: z.number(), warnings }),
    z.object({ results: z.array(z.object({ docs: z.array(hit) })), timeTaken: z.number(), warnings }),
  ]),
}

export function queryRoutes(platform: Platform): Route[] {
  async function answerQueries(flow: FlowRow, body: QueryBody) {
    const began = performance.now()
    const { part, warnings } = planQuery(
      flowSource(flow),
      platform.catalog,
      platform.lent,
      body.overrideConfig ?? {},
      body.stopNodeId ?? undefined,
    )
    const asked = {
      ...(body.topK == null ? {} : { topK: body.topK }),
      ...(body.mode == null ? {} : { mode: body.mode }),
      ...(body.filter == null ? {} : { filter: parseFilter(body.filter) }),
      ...(body.minScore == null ? {} : { minScore: body.minScore }),
    }
    const results = await platform.retriever.retrieve(part, body.queries ?? [body.query!], asked)
    const rest = {
      timeTaken: Math.round((performance.now() - began) * 100) / 100,
      ...(warnings.length > 0 ? { warnings } : {}),
    }
    return body.queries
      ? { results: results.map((docs) => ({ docs })), ...rest }
      : { docs: results[0]!, ...rest }
  }

  return [
    route({
      method: 'POST',
      url: '/api/v1/vector/query/:flowId',
      summary: 'The chunks of a flow that match a question',
      tag: 'vectors',
      access: { flow: 'query' },
      params: z.object({ flowId: z.string() }),
      body: queryBody,
      answer,
      handle: ({ flow, body }) => answerQueries(flow, body),
    }),
    route({
      method: 'GET',
      url: '/api/v1/vector/query/:flowId',
      summary: 'The same with the question in the address',
      tag: 'vectors',
      access: { flow: 'query' },
      params: z.object({ flowId: z.string() }),
      query: z.object({ q: z.string().min(1).max(100_000), topK: topK.optional(), mode: mode.optional() }),
      answer,
      handle: ({ flow, query }) =>
        answerQueries(flow, { query: query.q, topK: query.topK, mode: query.mode }),
    }),
  ]
}
