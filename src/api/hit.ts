import { z } from 'zod'
import { common, doc, docs } from './doc.ts'
import { count, jsonObject } from './json.ts'

const offset = z.number().int()
/** Of a chunk in an order, from 1. */
const place = z.number().int().min(1)
/** A part of a text, in UTF-16 code units; `to` is exclusive. */
const span = {
  from: offset.meta(doc('Start in pageContent, in UTF-16 code units, from 0', 0)),
  to: offset.meta(doc('End in pageContent, exclusive, in UTF-16 code units', 36)),
}

/** The scores of a chunk by each search. */
export const chunkScores = z.object({
  vector: z
    .number()
    .nullable()
    .register(
      docs,
      doc(
        'The exact cosine of question and chunk, -1 to 1; with metric dot the dot product, with euclidean 1 / (1 + distance). Its scale depends on the embedder. null in keyword mode',
        0.62,
      ),
    ),
  keyword: z
    .number()
    .nullable()
    .register(
      docs,
      doc(
        'BM25, above 0 and without an upper limit; depends on the question and the collection. null if the keyword search did not find the chunk',
        4.1,
      ),
    ),
  rerank: z.number().optional().register(docs, doc('The score of the reranker, on its own scale', 0.92)),
})

/** What explain adds to a chunk. */
export const explainedHit = {
  parts: z
    .object({
      vector: z.number().register(docs, doc('The part of the vector search', 0.12)),
      keyword: z.number().register(docs, doc('The part of the keyword search', 0.21)),
      sentence: z
        .number()
        .optional()
        .register(docs, doc('Rescoring: the part of the best sentence of the chunk', 0.09)),
      coverage: z
        .number()
        .optional()
        .register(docs, doc('Rescoring: the part of the terms of the question that the chunk has', 0.06)),
      phrase: z
        .number()
        .optional()
        .register(
          docs,
          doc(
            'Rescoring: the part of terms that have the same order as in the question, or are close to each other',
            0.03,
          ),
        ),
      head: z
        .number()
        .optional()
        .register(docs, doc('Rescoring: the part of the beginning of the source', 0.02)),
      length: z
        .number()
        .optional()
        .register(
          docs,
          doc('Rescoring: the part of the length of the chunk, compared with the mean of the first 20', 0.01),
        ),
      offset: z
        .number()
        .optional()
        .register(
          docs,
          doc('For a chunk after the first 20: a constant that keeps it after the rescored ones', -0.02),
        ),
    })
    .optional()
    .register(
      docs,
      doc(
        'With explain in the request: the parts of rankedScore. They add up to it; a part can be negative',
        {
          vector: 0.12,
          keyword: 0.21,
          sentence: 0.09,
          coverage: 0.06,
          phrase: 0.03,
          head: 0.02,
          length: 0.01,
        },
      ),
    ),
  rankedScore: z
    .number()
    .optional()
    .register(
      docs,
      doc(
        'With explain in the request: the score by which the chunk was ranked, before a reranker and MMR. Without a reranker it is score',
        0.54,
      ),
    ),
  ranks: z
    .object({
      vector: place
        .nullable()
        .meta(doc('Among what the vector search gave; null where it did not give the chunk', 3)),
      keyword: place
        .nullable()
        .meta(doc('Among what the keyword search gave; null where it did not give the chunk', 1)),
      combined: place.meta(doc('After both searches were combined', 2)),
      rescored: place.optional().meta(doc('After rescoring; absent where it was not used', 1)),
      reranked: place.optional().meta(doc('After the reranker; absent without one', 1)),
    })
    .optional()
    .register(
      docs,
      doc('With explain in the request: the place of the chunk after each step, from 1', {
        ...{ vector: 3, keyword: 1, combined: 2, rescored: 1 },
      }),
    ),
  mmr: z
    .object({
      relevance: z.number().register(docs, doc('The score ÷ the best score', 0.93)),
      likeness: z
        .number()
        .register(docs, doc('The cosine to the closest of the chunks before it; 0 for the first', 0.71)),
      closest: z
        .string()
        .nullable()
        .register(
          docs,
          doc('The id of that chunk; null for the first', '7c9e6679-7425-40de-944b-e07fc1f90ae7'),
        ),
    })
    .optional()
    .register(
      docs,
      doc('With explain in the request and MMR: why the chunk was chosen', {
        ...{ relevance: 0.93, likeness: 0.71, closest: '7c9e6679-7425-40de-944b-e07fc1f90ae7' },
      }),
    ),
  terms: z
    .array(
      z.object({
        word: z
          .string()
          .nullable()
          .register(
            docs,
            doc(
              'The word of the question, or the part of a word; null where no word is the term alone',
              'notice',
            ),
          ),
        holders: count.meta(doc('How many of the stored texts have it: the fewer, the more it counts', 3)),
        texts: count.meta(doc('How many texts are stored', 412)),
        times: count.meta(doc('How often it is in this chunk', 2)),
        score: z.number().register(docs, doc('What it adds to scores.keyword', 2.1)),
        share: z.number().register(docs, doc('The same as a part of scores.keyword, 0 to 1', 0.6)),
      }),
    )
    .optional()
    .register(
      docs,
      doc(
        'With explain in the request: the words of the question in the chunk, the largest part first; none where the keyword search did not give it. Absent where another server searches the words, and for keys with pins',
        [{ word: 'notice', holders: 3, texts: 412, times: 2, score: 2.1, share: 0.6 }],
      ),
    ),
}

/** A chunk that was found. */
export const hit = z.object({
  pageContent: z.string().register(docs, common.chunkText),
  metadata: jsonObject.meta(common.chunkMetadata),
  id: z.string().register(docs, doc('The id of the chunk', '0b2ae1f6-6d4b-5d8a-9c1e-3f1d2c4b5a69')),
  score: z.number().register(docs, common.score),
  scores: chunkScores.meta(doc('The scores of each search', { vector: 0.62, keyword: 4.1 })),
  confidence: z.number().nullable().register(docs, common.confidence),
  highlight: z
    .object({
      ...span,
      words: z
        .array(z.object(span))
        .register(docs, doc('The words of the question in this sentence', [{ from: 4, to: 10 }])),
    })
    .nullable()
    .optional()
    .register(
      docs,
      doc('With highlight in the request: the sentence of pageContent that matches best; null if none does', {
        from: 0,
        to: 36,
        words: [{ from: 4, to: 10 }],
      }),
    ),
  vector: z
    .array(z.number())
    .optional()
    .register(docs, doc('The vector of the chunk', [0.1, 0.2])),
  ...explainedHit,
})

/**
 * The fields of a chunk that a client can rely on in any answer. Chunks of lists and of upserts have no scores, and an older
 * server answers fewer fields.
 */
const chunkShape = hit.partial().required({ pageContent: true })

export type ChunkAnswer = z.output<typeof chunkShape>
