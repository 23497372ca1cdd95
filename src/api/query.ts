import { z } from 'zod'
import { FUSIONS, METRICS, MODES } from '../contract/retrieval.ts'
import { common, doc, docs } from './doc.ts'
import { hit } from './hit.ts'
import { chatId, count, jsonObject, warning } from './json.ts'

/** Characters of one query, and of all queries of a request together. */
const LONGEST_QUERY = 100_000
const LONGEST_QUERIES = 1_000_000

const question = z.string().min(1).max(LONGEST_QUERY)
const upTo1000 = z.coerce.number().int().min(1).max(1000)
const share = z.number().min(0).max(1)

export const queryBody = z
  .looseObject({
    query: question
      .nullish()
      .register(docs, doc('The question, 1 to 100,000 characters', 'How long is the notice period?')),
    queries: z
      .array(question)
      .min(1)
      .max(100)
      .nullish()
      .register(docs, doc('Up to 100 questions, instead of query', ['How long is the notice period?'])),
    history: z
      .array(z.string().max(LONGEST_QUERY))
      .max(1000)
      .nullish()
      .meta({
        description:
          'Earlier questions of the conversation, the oldest first: the last five are searched too, with less weight. The hits have no confidence then',
        examples: [['Who organised the race?']],
      }),
    topK: upTo1000.nullish().register(docs, doc('The number of chunks to return, 1 to 1,000', 4)),
    mode: z
      .enum(MODES)
      .nullish()
      .register(docs, doc('The kind of search: vector (by meaning), keyword, or hybrid for both', 'hybrid')),
    fusion: z
      .enum(FUSIONS)
      .nullish()
      .register(
        docs,
        doc('How hybrid search combines both searches: by scores (convex) or by ranks (rrf)', 'convex'),
      ),
    weight: share
      .nullish()
      .register(
        docs,
        doc(
          'The weight of the vector search, 0 to 1; the keyword search has the rest. The default of the built-in embeddings is 0.4, and 0.15 for questions in Chinese, Japanese, Korean and Thai',
          0.4,
        ),
      ),
    minScore: z
      .number()
      .min(-1)
      .max(1)
      .nullish()
      .register(
        docs,
        doc(
          'The least scores.vector of a returned chunk, -1 to 1; not compared with score or confidence. Refused in keyword mode, which has no vector score',
          0.3,
        ),
      ),
    filter: jsonObject.nullish().register(docs, common.filter),
    mmr: z
      .union([
        z.boolean(),
        z.object({
          fetchK: upTo1000
            .nullish()
            .register(docs, doc('MMR: the number of best chunks to choose from, 1 to 1,000', 20)),
          lambda: share.nullish().register(docs, doc('MMR: 1 counts only relevance, 0 only difference', 0.5)),
        }),
      ])
      .nullish()
      .register(
        docs,
        doc(
          'Whether to prefer chunks that differ from each other (maximal marginal relevance), or its settings',
          true,
        ),
      ),
    nearDuplicates: z
      .union([z.boolean(), share])
      .nullish()
      .register(
        docs,
        doc(
          'true leaves out chunks with nearly the same content as a better one; a number is the least cosine of two such chunks, 0 to 1',
          true,
        ),
      ),
    rerank: z
      .boolean()
      .nullish()
      .register(
        docs,
        doc('Whether the reranker of the flow, if it has one, orders the best chunks again', false),
      ),
    spelling: z
      .boolean()
      .nullish()
      .register(
        docs,
        doc(
          'Whether a word of four letters or more that no chunk has is also searched as the words of the chunks that differ from it by one typing error; the default is true. Applies to keyword and hybrid search in the built-in vector store',
          false,
        ),
      ),
    rescore: z
      .boolean()
      .nullish()
      .register(
        docs,
        doc(
          'Whether the first 20 chunks of a hybrid search are ordered again by their sentences, phrases and the beginning of their source; the default is true. Applies to flows with the built-in embeddings, fusion convex, metric cosine and no reranker',
          false,
        ),
      ),
    includeVectors: z.boolean().nullish().register(docs, doc('Whether each chunk has its vector', false)),
    chatId: chatId
      .nullish()
      .register(
        docs,
        doc('The id of a conversation, at most 255 characters: its files are searched too', 'chat-1'),
      ),
    highlight: z
      .boolean()
      .nullish()
      .register(
        docs,
        doc('Whether each chunk has the sentence that matches the question best; the default is false'),
      ),
    explain: z
      .boolean()
      .nullish()
      .register(
        docs,
        doc('Whether the answer has the parts of each score, the used settings and the time of each stage'),
      ),
    overrideConfig: jsonObject.nullish().register(docs, common.overrides),
    stopNodeId: z.string().nullish().register(docs, common.storeNode),
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
  q: question.meta(doc('The question, 1 to 100,000 characters', 'How long is the notice period?')),
  topK: upTo1000.optional().register(docs, doc('The number of chunks to return, 1 to 1,000', 4)),
  mode: z
    .enum(MODES)
    .optional()
    .register(docs, doc('The kind of search: vector (by meaning), keyword, or hybrid for both', 'hybrid')),
  fusion: z
    .enum(FUSIONS)
    .optional()
    .register(
      docs,
      doc('How hybrid search combines both searches: by scores (convex) or by ranks (rrf)', 'convex'),
    ),
  weight: numberIn(0, 1).register(
    docs,
    doc(
      'The weight of the vector search, 0 to 1; the keyword search has the rest. The default of the built-in embeddings is 0.4, and 0.15 for questions in Chinese, Japanese, Korean and Thai',
      0.4,
    ),
  ),
  minScore: numberIn(-1, 1).register(
    docs,
    doc(
      'The least scores.vector of a returned chunk, -1 to 1; not compared with score or confidence. Refused in keyword mode, which has no vector score',
      0.3,
    ),
  ),
  /** JSON. */
  filter: z.string().optional().register(docs, common.filterText),
  mmr: yesOrNo.meta(
    doc('Whether to prefer chunks that differ from each other (maximal marginal relevance)', 'true'),
  ),
  nearDuplicates: yesOrNo.meta(
    doc('true leaves out chunks with nearly the same content as a better one', 'true'),
  ),
  rerank: yesOrNo.meta(
    doc('Whether the reranker of the flow, if it has one, orders the best chunks again', 'false'),
  ),
  spelling: yesOrNo.meta(
    doc(
      'Whether a word of four letters or more that no chunk has is also searched as the words of the chunks that differ from it by one typing error; the default is true. Applies to keyword and hybrid search in the built-in vector store',
      'false',
    ),
  ),
  rescore: yesOrNo.meta(
    doc(
      'Whether the first 20 chunks of a hybrid search are ordered again by their sentences, phrases and the beginning of their source; the default is true. Applies to flows with the built-in embeddings, fusion convex, metric cosine and no reranker',
      'false',
    ),
  ),
  chatId: chatId
    .optional()
    .register(
      docs,
      doc('The id of a conversation, at most 255 characters: its files are searched too', 'chat-1'),
    ),
  highlight: yesOrNo.meta(doc('Whether each chunk has the sentence that matches the question best', 'true')),
  explain: yesOrNo.meta(
    doc(
      'Whether the answer has the parts of each score, the used settings and the time of each stage',
      'true',
    ),
  ),
})

/** How hits were found: the settings that were used, and the milliseconds of each stage. */
const explanation = z.object({
  settings: z
    .object({
      topK: count.meta(doc('The number of chunks to return', 4)),
      mode: z.enum(MODES).register(docs, doc('The kind of search', 'hybrid')),
      fusion: z.enum(FUSIONS).register(docs, doc('How both searches were combined', 'convex')),
      weight: z.number().register(docs, doc('The weight of the vector search, 0 to 1', 0.4)),
      metric: z.enum(METRICS).register(docs, doc('How vectors are compared', 'cosine')),
      minScore: z
        .number()
        .optional()
        .register(docs, doc('The least scores.vector of a returned chunk; absent for none', 0.3)),
      nearDuplicates: z
        .number()
        .optional()
        .register(
          docs,
          doc('The least cosine of two chunks of which one was left out; absent where none is', 0.95),
        ),
      mmr: z
        .object({
          fetchK: count.meta(doc('MMR: the number of best chunks to choose from, 1 to 1,000', 20)),
          lambda: z.number().register(docs, doc('MMR: 1 counts only relevance, 0 only difference', 0.5)),
        })
        .optional()
        .register(
          docs,
          doc('The settings of maximal marginal relevance; absent where it was not used', {
            fetchK: 20,
            lambda: 0.5,
          }),
        ),
      reranker: z.boolean().register(docs, doc('Whether a reranker ordered the chunks', false)),
      spelling: z
        .boolean()
        .register(docs, doc('Whether unknown words were also searched in other spellings')),
      rescore: z.boolean().register(docs, doc('Whether the first chunks were rescored')),
      filtered: z
        .boolean()
        .register(docs, doc('Whether a filter of the flow or the request was used', false)),
      embedder: z.string().register(docs, doc('The embedder that made the vectors', 'sluice-static-256-v1')),
    })
    .register(docs, doc('The settings that were used: those of the request, the flow, or the defaults', {})),
  stages: z
    .object({
      plan: z.number().register(docs, doc('Reading the flow', 0.4)),
      embed: z.number().register(docs, doc('Embedding the questions', 3.1)),
      search: z.number().register(docs, doc('Searching by vector and keyword, and ranking', 1.2)),
      rescore: z.number().register(docs, doc('Reading and scoring the first chunks again', 0.9)),
      choose: z.number().register(docs, doc('Leaving out near duplicates, reranking, MMR', 0.1)),
      highlight: z.number().register(docs, doc('Finding the best sentences', 2.5)),
    })
    .register(docs, doc('The milliseconds of each stage, of all questions together', {})),
})

const shared = {
  timeTaken: z.number().register(docs, common.timeTaken),
  warnings: z.array(warning).optional().register(docs, common.warnings),
  explanation: explanation
    .optional()
    .register(docs, doc('With explain in the request: how the chunks were found', {})),
}

/**
 * What one query found, whether probably none of it answers, and the words of the query that were searched in another spelling
 * too.
 */
const found = {
  docs: z.array(hit).register(docs, doc('The chunks, best first', [])),
  unlikely: z
    .literal(true)
    .optional()
    .register(
      docs,
      doc(
        'true where probably none of the chunks answers the question. Absent where that is not so, and where it cannot be said',
      ),
    ),
  readings: z
    .array(
      z.object({
        word: z.string().register(docs, doc('A word of the question that no chunk has', 'recieve')),
        readAs: z
          .array(z.string())
          .register(
            docs,
            doc('The words that were searched too, the most likely first, without accents; two at most', [
              'receive',
            ]),
          ),
      }),
    )
    .optional()
    .register(
      docs,
      doc('The words of the question that were also searched in another spelling; absent for none', [
        { word: 'recieve', readAs: ['receive'] },
      ]),
    ),
}

/** The answer to one query. */
export const queryAnswer = z.object({ ...found, ...shared })

/** The answer to `query`, and the one to `queries`, in their order. */
export const queryAnswers = z.union([
  queryAnswer,
  z.object({
    results: z.array(z.object(found)).register(docs, doc('One answer per question, in their order', [])),
    ...shared,
  }),
])

export type QueryAnswer = z.output<typeof queryAnswer>
