import { z } from 'zod'
import { FUSIONS, METRICS, MODES } from '../contract/retrieval.ts'
import { common, doc, docs, EXAMPLE_ID } from './doc.ts'
import { expected } from './expected.ts'
import { hit } from './hit.ts'
import { count, warning } from './json.ts'
import { runShape } from './run.ts'

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
      expect: z
        .number()
        .optional()
        .register(docs, doc('With expect in the request: finding out what became of it', 1.2)),
    })
    .register(docs, doc('The milliseconds of each stage, of all questions together', {})),
})

const shared = {
  timeTaken: z.number().register(docs, common.timeTaken),
  warnings: z.array(warning).optional().register(docs, common.warnings),
  explanation: explanation
    .optional()
    .register(docs, doc('With explain in the request: how the chunks were found', {})),
  run: runShape
    .optional()
    .register(
      docs,
      doc('With record in the request: the record of the run, which the server does not keep', {}),
    ),
}

/**
 * What one query found, whether probably none of it answers, and the words of the query that were searched in another spelling
 * too.
 */
const found = {
  expected: expected
    .optional()
    .register(docs, doc('With expect in the request: what became of the document or chunk', {})),
  words: z
    .array(
      z.object({
        word: z.string().register(docs, doc('A word of the question', 'notice')),
        holders: count
          .nullable()
          .register(
            docs,
            doc('How many of the stored texts have it; null for a word that is too common to be searched', 3),
          ),
        texts: count.meta(doc('How many texts are stored', 412)),
      }),
    )
    .optional()
    .register(
      docs,
      doc(
        'With explain in the request: the words of the question with their rarity. Absent in vector mode, where another server searches the words, and for keys with pins',
        [{ word: 'notice', holders: 3, texts: 412 }],
      ),
    ),
  docs: z.array(hit).register(docs, doc('The chunks, best first', [])),
  below: z
    .array(
      z.object({
        id: z.string().register(docs, doc('The id of the chunk', EXAMPLE_ID)),
        source: z
          .string()
          .nullable()
          .register(docs, doc('Its source; null where it has none', 'handbook.pdf')),
        place: z.number().int().min(1).register(docs, doc('Its place, from 1', 5)),
        score: z.number().register(docs, doc('The score that it was ranked by', 0.27)),
        excerpt: z
          .string()
          .register(docs, doc('The beginning of its text, in one line', 'The notice period is four weeks.')),
      }),
    )
    .optional()
    .register(
      docs,
      doc(
        'With explain in the request: the chunks after the last one of the answer, in their order, 16 at most: a larger topK returns them. Absent where near duplicates drop out, and where a reranker or MMR chooses',
        [],
      ),
    ),
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
