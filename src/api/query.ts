import { z } from 'zod'
import { FUSIONS, MODES } from '../contract/retrieval.ts'
import { chatId, jsonObject, warning } from './json.ts'

/** Characters of one query, and of all queries of a request together. */
const LONGEST_QUERY = 100_000
const LONGEST_QUERIES = 1_000_000

const question = z.string().min(1).max(LONGEST_QUERY)
const upTo1000 = z.coerce.number().int().min(1).max(1000)
const share = z.number().min(0).max(1)

export const queryBody = z
  .looseObject({
    query: question.nullish(),
    queries: z.array(question).min(1).max(100).nullish(),
    topK: upTo1000.nullish(),
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
    mmr: z.union([z.boolean(), z.object({ fetchK: upTo1000.nullish(), lambda: share.nullish() })]).nullish(),
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

export type QueryBody = z.output<typeof queryBody>

/** A number of the query string; the empty text counts as absent. */
const numberIn = (min: number, max: number) =>
  z.preprocess((text) => (text === '' ? undefined : text), z.coerce.number().min(min).max(max).optional())

const yesOrNo = z.enum(['true', 'false']).optional()

export const queryString = z.looseObject({
  q: question,
  topK: upTo1000.optional(),
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

/** What each side of a search gave a chunk. */
export const chunkScores = z.object({
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
})

/** A chunk that was found. */
const hit = z.object({
  pageContent: z.string(),
  metadata: jsonObject,
  id: z.string(),
  score: z
    .number()
    .describe(
      'What the order goes by, larger is better; comparable within one answer only. vector: the cosine; keyword: BM25 by the best BM25 of the answer; hybrid: weight × cosine + (1 - weight) × that, or the sum of 1 / (60 + rank) with fusion rrf; with a reranker its score',
    ),
  scores: chunkScores,
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

const shared = { timeTaken: z.number(), warnings: z.array(warning).optional() }

/** The answer to one query. */
const queryAnswer = z.object({ docs: z.array(hit), ...shared })

/** The answer to `query`, and the one to `queries`, in their order. */
export const queryAnswers = z.union([
  queryAnswer,
  z.object({ results: z.array(z.object({ docs: z.array(hit) })), ...shared }),
])

/**
 * What a client may rely on of a chunk in any answer: one that is listed, or that an upsert answers, has no scores, and
 * an older server gives fewer fields.
 */
const chunkShape = hit.partial().required({ pageContent: true })

export type ChunkAnswer = z.output<typeof chunkShape>
