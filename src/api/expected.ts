import { z } from 'zod'
import { CHANGED_SETTINGS, EXPECTED_STEPS, LIMITED_STEPS, MEASURES } from '../contract/expected.ts'
import { doc, docs, EXAMPLE_ID } from './doc.ts'
import { count } from './json.ts'
import { explainedHit } from './hit.ts'

const place = z.number().int().min(1)
const number = z.number()
const value = z.union([number, z.string(), z.boolean()]).nullable()
const chunkId = z.string()

/** What a query is expected to find: a source by its name, or a chunk by its id. */
export const expectation = z
  .object({
    source: z
      .string()
      .min(1)
      .max(4096)
      .nullish()
      .register(docs, doc('The name of a document, as listings and hits have it', 'handbook.pdf')),
    chunk: z.string().min(1).max(255).nullish().register(docs, doc('The id of a chunk', EXAMPLE_ID)),
  })
  .refine(({ source, chunk }) => (source == null) !== (chunk == null), 'expect either a source or a chunk')

/** What became of an expected source or chunk. */
export const expected = z.object({
  found: z.boolean().register(docs, doc('Whether the answer has it')),
  place: place.nullable().meta(doc('Its place in the answer, from 1; null where it is not there', null)),
  step: z
    .enum(EXPECTED_STEPS)
    .nullable()
    .register(
      docs,
      doc(
        'The first step that left it out; null where the answer has it. notStored: nothing is stored under the name, or nothing that this query may find; untold: the store cannot tell, since another program stores what it searches, or documents changed meanwhile; conversation: it belongs to another one; filter; threshold: below minScore; noSide: neither search gave it; pool: rescoring, a reranker or MMR reads only the first so many; rescoring, reranker, mmr: it was among the first topK before that step; nearDuplicate of a better chunk; topK: it comes later',
        'topK',
      ),
    ),
  reason: z.string().register(docs, doc('The same in a sentence', 'It is at place 9, below the first 4.')),
  remedy: z
    .string()
    .nullable()
    .register(
      docs,
      doc(
        'What shows it, in a sentence; null where nothing is to be changed',
        'It is hit 9 with topK 9 instead of 4.',
      ),
    ),
  chunk: z
    .object({
      id: chunkId.meta(doc('The id of the chunk that went furthest of those of the source', EXAMPLE_ID)),
      source: z.string().nullable().register(docs, doc('Its source; null where it has none', 'handbook.pdf')),
      scores: z
        .object({
          vector: number
            .nullable()
            .meta(doc('Its vector score; null where it has none, or it cannot be told', 0.31)),
          keyword: number
            .nullable()
            .meta(doc('Its BM25; null where it has no word of the question, or it cannot be told', 1.2)),
        })
        .register(docs, doc('Its scores, also where no search gave it', { vector: 0.31, keyword: 1.2 })),
    })
    .nullable()
    .register(docs, doc('The chunk that is told of; null where nothing is stored under the name', null)),
  chunks: count.meta(doc('How many chunks of the source were looked at, 200 at most', 3)),
  measured: z
    .array(
      z.object({
        what: z
          .enum(MEASURES)
          .register(
            docs,
            doc(
              'A score of a side, the ranked score, the likeness to another chunk, the score of the reranker, what MMR compares (gain), or a place',
              'place',
            ),
          ),
        had: number.nullable().meta(doc('What the chunk had; null for none', 9)),
        needed: number
          .nullable()
          .meta(
            doc(
              'What it would have needed: at least this, at most for places, less for likeness; null where there was no limit',
              4,
            ),
          ),
      }),
    )
    .register(
      docs,
      doc('What decided, of the chunk and of what it had to reach', [{ what: 'place', had: 9, needed: 4 }]),
    ),
  reads: z
    .object({
      step: z
        .enum(LIMITED_STEPS)
        .register(docs, doc('The step that reads only the first so many', 'rescoring')),
      most: count.meta(doc('How many', 20)),
    })
    .optional()
    .register(docs, doc('Of the step pool: which one did not come to it', { step: 'rescoring', most: 20 })),
  like: z
    .object({
      id: chunkId.meta(doc('The id of the other chunk', EXAMPLE_ID)),
      source: z.string().nullable().register(docs, doc('Its source; null where it has none', 'handbook.pdf')),
      place: place.nullable().meta(doc('Its place in the answer; null where it is not there', 1)),
      cosine: number.meta(doc('The cosine of both', 0.99)),
    })
    .optional()
    .register(docs, doc('Of the steps nearDuplicate and mmr: the chunk that it is like', {})),
  fields: z
    .array(z.string())
    .optional()
    .register(docs, doc('Of the step filter: the fields of the conditions that it does not meet', ['page'])),
  explanation: z
    .object(explainedHit)
    .optional()
    .register(
      docs,
      doc('Where it was ranked: the parts of its score and its places, as explain gives them for hits', {}),
    ),
  untold: z
    .array(z.enum(['vector', 'keyword']))
    .register(docs, doc('The scores that the vector store cannot tell of a chunk that it did not find', [])),
  change: z
    .object({
      setting: z.enum(CHANGED_SETTINGS).register(docs, doc('The setting of the request', 'topK')),
      from: value.meta(doc('Its value; of filter the fields that are left out', 4)),
      to: value.meta(doc('The value that shows the chunk; null for none, false for off', 9)),
      place: place.meta(doc('The place of the chunk with it', 9)),
    })
    .nullable()
    .register(
      docs,
      doc(
        'The smallest change of one setting with which the answer has it, found by doing the query with it; null where none was found',
        null,
      ),
    ),
  tries: count.meta(doc('How often the query was done again to find it, 14 at most', 1)),
})

export type ExpectedAnswer = z.output<typeof expected>
