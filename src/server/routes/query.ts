import { z } from 'zod'
import { jsonObject } from '../../api/json.ts'
import { FUSIONS, MODES } from '../../contract/retrieval.ts'
import type { FlowRow } from '../../db/flows.ts'
import type { Warning } from '../../flow/overrides.ts'
import type { Asked } from '../../retrieve/settings.ts'
import { parseFilter } from '../../vector/filter.ts'
import { clientGone } from '../client-gone.ts'
import { flowRetrieval } from '../flow-retrieval.ts'
import type { Platform } from '../platform.ts'
import { chatId, type Route, route } from '../route.ts'
import { unknownFields } from '../unknown-fields.ts'

/** Characters of one query, and of all queries of a request together. */
const LONGEST_QUERY = 100_000
const LONGEST_QUERIES = 1_000_000

const question = z.string().min(1).max(LONGEST_QUERY)
const count = z.coerce.number().int().min(1).max(1000)
const share = z.number().min(0).max(1)

const queryBody = z
  .looseObject({
    query: question.nullish(),
    queries: z.array(question).min(1).max(100).nullish(),
    topK: count.nullish(),
    mode: z.enum(MODES).nullish(),
    fusion: z.enum(FUSIONS).nullish(),
    weight: share.nullish(),
    minScore: z
      .number()
      .min(-1)
      .max(1)
      .nullish()
      .describe(
        'The least scores.vector of a chunk that is given; not held against score or confidence. Refused in keyword mode, where there is none',
      ),
    filter: jsonObject.nullish(),
    mmr: z.union([z.boolean(), z.object({ fetchK: count.nullish(), lambda: share.nullish() })]).nullish(),
    nearDuplicates: z.union([z.boolean(), share]).nullish(),
    rerank: z.boolean().nullish(),
    includeVectors: z.boolean().nullish(),
    chatId: chatId.nullish(),
    highlight: z
      .boolean()
      .nullish()
      .describe('Whether each hit tells the sentence that fits the question best; false unless given'),
    overrideConfig: jsonObject.nullish(),
    stopNodeId: z.string().nullish(),
  })
  .refine((body) => (body.query == null) !== (body.queries == null), 'send either query or queries')
  .refine((body) => (body.queries ?? []).reduce((sum, { length }) => sum + length, 0) <= LONGEST_QUERIES, {
    path: ['queries'],
    message: `all queries together may have ${LONGEST_QUERIES} characters`,
  })

type QueryBody = z.output<typeof queryBody>

/** Of a number in an address, nothing means that it was not given. */
const numberIn = (min: number, max: number) =>
  z.preprocess((text) => (text === '' ? undefined : text), z.coerce.number().min(min).max(max).optional())

const yesOrNo = z.enum(['true', 'false']).optional()

const queryString = z.looseObject({
  q: question,
  topK: count.optional(),
  mode: z.enum(MODES).optional(),
  fusion: z.enum(FUSIONS).optional(),
  weight: numberIn(0, 1),
  minScore: numberIn(-1, 1),
  mmr: yesOrNo,
  nearDuplicates: yesOrNo,
  rerank: yesOrNo,
  chatId: chatId.optional(),
  highlight: yesOrNo,
})

const offset = z.number().int()
const span = {
  from: offset.describe('Where it begins in pageContent, in UTF-16 code units, from 0'),
  to: offset.describe('Where it ends; this code unit is not part of it'),
}

const hit = z.object({
  pageContent: z.string(),
  metadata: jsonObject,
  id: z.string(),
  score: z
    .number()
    .describe(
      'What the order goes by, larger is better; comparable within one answer only. vector: the cosine; keyword: BM25 by the best BM25 of the answer; hybrid: weight × cosine + (1 - weight) × that, or the sum of 1 / (60 + rank) with fusion rrf; with a reranker its score',
    ),
  scores: z.object({
    vector: z
      .number()
      .nullable()
      .describe(
        'The exact cosine of question and chunk, -1 to 1; with metric dot the dot product, with euclidean 1 / (1 + distance). Its scale depends on the embedder; null in keyword mode',
      ),
    keyword: z
      .number()
      .nullable()
      .describe(
        'BM25, above 0, without an upper end: depends on the question and the collection. Null where the keyword side did not find the chunk',
      ),
    rerank: z.number().optional().describe('What the reranker gave it, on its own scale'),
  }),
  confidence: z
    .number()
    .nullable()
    .describe(
      'The estimated probability that this chunk answers the question, 0 to 1; comparable between queries. Below 0.1 for all: nothing found seems to answer. Null where it cannot be estimated: by vector alone, or found by vector alone, with another embedder than the built-in one',
    ),
  highlight: z
    .object({
      ...span,
      words: z.array(z.object(span)).describe('The words in it that the question asks for'),
    })
    .nullable()
    .optional()
    .describe(
      'Where highlight was asked for: the sentence of pageContent that fits best; null where none does',
    ),
  vector: z.array(z.number()).optional(),
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
  async function answerQueries(
    flow: FlowRow,
    body: QueryBody,
    unknown: readonly Warning[],
    signal: AbortSignal,
  ) {
    const began = performance.now()
    const { part, warnings: ofOverrides } = await flowRetrieval(platform, flow, {
      overrides: body.overrideConfig ?? {},
      ...(body.stopNodeId == null ? {} : { stopNodeId: body.stopNodeId }),
    })
    const queries = body.queries ?? [body.query!]
    const asked = askedIn(body)
    const results = await platform.retriever.retrieve(part, queries, asked, signal)
    const absent = asked.filter ? await part.store.absentFields(asked.filter) : []
    const warnings = [...unknown, ...ofOverrides, ...absent.map(absentWarning)]
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
      // A hundred queries of 100,000 characters.
      bodyMegabytes: 16,
      answer,
      handle: ({ flow, body, reply }) =>
        answerQueries(flow, body, unknownFields(body, queryBody), clientGone(reply)),
    }),
    route({
      method: 'GET',
      url: '/api/v1/vector/query/:flowId',
      summary: 'The same with the question in the address',
      tag: 'vectors',
      access: { flow: 'query' },
      params: z.object({ flowId: z.string() }),
      query: queryString,
      answer,
      handle({ flow, query, reply }) {
        const { q, topK, mode, fusion, weight, minScore, chatId } = query
        const { mmr, nearDuplicates, rerank, highlight } = query
        const body = {
          ...{ query: q, topK, mode, fusion, weight, minScore, chatId },
          mmr: isTrue(mmr),
          nearDuplicates: isTrue(nearDuplicates),
          rerank: isTrue(rerank),
          highlight: isTrue(highlight),
        }
        return answerQueries(flow, body, unknownFields(query, queryString), clientGone(reply))
      },
    }),
  ]
}

const absentWarning = (field: string): Warning => ({
  key: 'filter',
  reason: `no chunk has the metadata field ${field}`,
})

const isTrue = (text: string | undefined): boolean | undefined =>
  text === undefined ? undefined : text === 'true'

/** What a body asks; what it leaves out, or leaves empty, the flow says. */
function askedIn(body: QueryBody): Asked {
  const {
    filter,
    mmr,
    topK,
    mode,
    fusion,
    weight,
    minScore,
    nearDuplicates,
    rerank,
    includeVectors,
    chatId,
    highlight,
  } = body
  return withoutEmpty({
    topK,
    mode,
    fusion,
    weight,
    minScore,
    nearDuplicates,
    rerank,
    includeVectors,
    chatId: chatId || undefined,
    highlight,
    filter: filter == null || Object.keys(filter).length === 0 ? undefined : parseFilter(filter),
    mmr: typeof mmr === 'object' && mmr !== null ? withoutEmpty(mmr) : mmr === true ? {} : mmr,
  })
}

type WithoutEmpty<T> = { [Name in keyof T]?: Exclude<T[Name], null | undefined> }

/** The same without what is null or undefined. */
const withoutEmpty = <T extends object>(given: T): WithoutEmpty<T> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value != null)) as WithoutEmpty<T>
