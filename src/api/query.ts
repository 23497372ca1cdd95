import { z } from 'zod'
import { FUSIONS, METRICS, MODES } from '../contract/retrieval.ts'
import { chatId, count, jsonObject, warning } from './json.ts'

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
    history: z
      .array(z.string().max(LONGEST_QUERY))
      .max(1000)
      .nullish()
      .meta({
        description:
          'Earlier questions of the conversation, the oldest first: the last five are searched too, with less weight. The hits have no confidence then',
        examples: [['Who organised the race?']],
      }),
    topK: upTo1000.nullish(),
    mode: z.enum(MODES).nullish(),
    fusion: z.enum(FUSIONS).nullish(),
    weight: share.nullish(),
    minScore: z.number().min(-1).max(1).nullish(),
    filter: jsonObject.nullish(),
    mmr: z.union([z.boolean(), z.object({ fetchK: upTo1000.nullish(), lambda: share.nullish() })]).nullish(),
    nearDuplicates: z.union([z.boolean(), share]).nullish(),
    rerank: z.boolean().nullish(),
    spelling: z.boolean().nullish(),
    rescore: z.boolean().nullish(),
    includeVectors: z.boolean().nullish(),
    chatId: chatId.nullish(),
    highlight: z.boolean().nullish(),
    explain: z.boolean().nullish(),
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

const yesOrNo = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .optional()

export const queryString = z.looseObject({
  q: question,
  topK: upTo1000.optional(),
  mode: z.enum(MODES).optional(),
  fusion: z.enum(FUSIONS).optional(),
  weight: numberIn(0, 1),
  minScore: numberIn(-1, 1),
  /** JSON. */
  filter: z.string().optional(),
  mmr: yesOrNo,
  nearDuplicates: yesOrNo,
  rerank: yesOrNo,
  spelling: yesOrNo,
  rescore: yesOrNo,
  chatId: chatId.optional(),
  highlight: yesOrNo,
  explain: yesOrNo,
})

const offset = z.number().int()
/** A part of a text, in UTF-16 code units; `to` is exclusive. */
const span = { from: offset, to: offset }

/** The scores of a chunk by each search. */
export const chunkScores = z.object({
  vector: z.number().nullable(),
  keyword: z.number().nullable(),
  rerank: z.number().optional(),
})

/** A chunk that was found. */
const hit = z.object({
  pageContent: z.string(),
  metadata: jsonObject,
  id: z.string(),
  score: z.number(),
  scores: chunkScores,
  confidence: z.number().nullable(),
  highlight: z
    .object({
      ...span,
      words: z.array(z.object(span)),
    })
    .nullable()
    .optional(),
  vector: z.array(z.number()).optional(),
  parts: z
    .object({
      vector: z.number(),
      keyword: z.number(),
      sentence: z.number().optional(),
      coverage: z.number().optional(),
      phrase: z.number().optional(),
      head: z.number().optional(),
      length: z.number().optional(),
      offset: z.number().optional(),
    })
    .optional(),
})

/** How hits were found: the settings that were used, and the milliseconds of each stage. */
const explanation = z.object({
  settings: z.object({
    topK: count,
    mode: z.enum(MODES),
    fusion: z.enum(FUSIONS),
    weight: z.number(),
    metric: z.enum(METRICS),
    minScore: z.number().optional(),
    nearDuplicates: z.number().optional(),
    mmr: z.object({ fetchK: count, lambda: z.number() }).optional(),
    reranker: z.boolean(),
    spelling: z.boolean(),
    rescore: z.boolean(),
    filtered: z.boolean(),
    embedder: z.string(),
  }),
  stages: z.object({
    plan: z.number(),
    embed: z.number(),
    search: z.number(),
    rescore: z.number(),
    choose: z.number(),
    highlight: z.number(),
  }),
})

const shared = {
  timeTaken: z.number(),
  warnings: z.array(warning).optional(),
  explanation: explanation.optional(),
}

/**
 * What one query found, whether probably none of it answers, and the words of the query that were searched in another spelling
 * too.
 */
const found = {
  docs: z.array(hit),
  unlikely: z.literal(true).optional(),
  readings: z.array(z.object({ word: z.string(), readAs: z.array(z.string()) })).optional(),
}

/** The answer to one query. */
export const queryAnswer = z.object({ ...found, ...shared })

/** The answer to `query`, and the one to `queries`, in their order. */
export const queryAnswers = z.union([queryAnswer, z.object({ results: z.array(z.object(found)), ...shared })])

/**
 * The fields of a chunk that a client can rely on in any answer. Chunks of lists and of upserts have no scores, and an older
 * server answers fewer fields.
 */
const chunkShape = hit.partial().required({ pageContent: true })

export type QueryAnswer = z.output<typeof queryAnswer>
export type ChunkAnswer = z.output<typeof chunkShape>
