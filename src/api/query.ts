import { z } from 'zod'
import { FUSIONS, MODES } from '../contract/retrieval.ts'
import { common, doc, docs } from './doc.ts'
import { expectation } from './expected.ts'
import { chatId, jsonObject } from './json.ts'

/** Characters of one query, and of all queries of a request together. */
const LONGEST_QUERY = 100_000
const LONGEST_QUERIES = 1_000_000

/** What the fields mean that the body and the query string share. */
const meaning = {
  question: doc('The question, 1 to 100,000 characters', 'How long is the notice period?'),
  topK: doc('The number of chunks to return, 1 to 1,000', 4),
  mode: doc('The kind of search: vector (by meaning), keyword, or hybrid for both', 'hybrid'),
  fusion: doc('How hybrid search combines both searches: by scores (convex) or by ranks (rrf)', 'convex'),
  weight: doc(
    'The weight of the vector search, 0 to 1; the keyword search has the rest. The default of the built-in embeddings is 0.4, and 0.15 for questions in Chinese, Japanese, Korean and Thai',
    0.4,
  ),
  minScore: doc(
    'The least scores.vector of a returned chunk, -1 to 1; not compared with score or confidence. Refused in keyword mode, which has no vector score',
    0.3,
  ),
  chatId: doc('The id of a conversation, at most 255 characters: its files are searched too', 'chat-1'),
}

const question = z.string().min(1).max(LONGEST_QUERY)
const upTo1000 = z.coerce.number().int().min(1).max(1000)
const share = z.number().min(0).max(1)

export const queryBody = z
  .looseObject({
    query: question.nullish().register(docs, meaning.question),
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
    topK: upTo1000.nullish().register(docs, meaning.topK),
    mode: z.enum(MODES).nullish().register(docs, meaning.mode),
    fusion: z.enum(FUSIONS).nullish().register(docs, meaning.fusion),
    weight: share.nullish().register(docs, meaning.weight),
    minScore: z.number().min(-1).max(1).nullish().register(docs, meaning.minScore),
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
    chatId: chatId.nullish().register(docs, meaning.chatId),
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
    expect: expectation
      .nullish()
      .register(
        docs,
        doc(
          'A document or a chunk that the answer should have: the answer says where it is, or which step left it out, and the smallest change of one setting that shows it. With query, not with queries',
          { source: 'handbook.pdf' },
        ),
      ),
    record: z
      .boolean()
      .nullish()
      .register(
        docs,
        doc('Whether the answer has the record of the run, as GET /runs/:id gives it for others'),
      ),
    overrideConfig: jsonObject.nullish().register(docs, common.overrides),
    stopNodeId: z.string().nullish().register(docs, common.storeNode),
  })
  .refine((body) => (body.query == null) !== (body.queries == null), 'send either query or queries')
  .refine((body) => body.expect == null || body.queries == null, {
    path: ['expect'],
    message: 'expect goes with query, not with queries',
  })
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
  q: question.meta(meaning.question),
  topK: upTo1000.optional().register(docs, meaning.topK),
  mode: z.enum(MODES).optional().register(docs, meaning.mode),
  fusion: z.enum(FUSIONS).optional().register(docs, meaning.fusion),
  weight: numberIn(0, 1).register(docs, meaning.weight),
  minScore: numberIn(-1, 1).register(docs, meaning.minScore),
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
  chatId: chatId.optional().register(docs, meaning.chatId),
  highlight: yesOrNo.meta(doc('Whether each chunk has the sentence that matches the question best', 'true')),
  explain: yesOrNo.meta(
    doc(
      'Whether the answer has the parts of each score, the used settings and the time of each stage',
      'true',
    ),
  ),
})
