import { z } from 'zod'
import { COMPARISON_LIMITS } from '../contract/comparison.ts'
import { UNCOUNTED_REASONS } from '../contract/question-store.ts'
import { JOB_STATES } from '../contract/job.ts'
import { VERDICT_KINDS } from '../contract/verdict.ts'
import { common, doc, docs, EXAMPLE_ID } from './doc.ts'
import { count, jsonObject, moment } from './json.ts'
import { pageOf } from './paging.ts'
import { flowParams } from './params.ts'

const { least, most } = COMPARISON_LIMITS

const EXAMPLE_VARIANTS = [{ name: 'live' }, { name: 'small chunks', inputs: { chunkSize: 600 } }]

const drawing = z.strictObject({
  name: z.string().register(docs, doc('The name of the variant, once in a comparison', 'small chunks')),
  inputs: jsonObject
    .nullish()
    .register(
      docs,
      doc(
        'Inputs that differ from the stored flow: of every node of its search that has the input, or of one as NODE.INPUT. Secrets and files cannot be set',
        { chunkSize: 600, 'builtInVectorStore_0.weight': 0.3 },
      ),
    ),
  revision: z
    .number()
    .int()
    .min(1)
    .nullish()
    .register(docs, doc('An earlier revision of the flow, instead of the stored drawing', 7)),
  flowData: z
    .union([z.string(), z.looseObject({})])
    .nullish()
    .register(
      docs,
      doc('Another drawing, instead of the stored one: an object, or JSON text', { nodes: [], edges: [] }),
    ),
})

export const compareBody = z.strictObject({
  variants: z
    .array(drawing)
    .register(
      docs,
      doc(
        `${least} to ${most} variants; the first is the baseline, and one without a change is the stored flow`,
        EXAMPLE_VARIANTS,
      ),
    ),
  looks: z
    .union([z.literal(1), z.literal(3)])
    .nullish()
    .register(
      docs,
      doc(
        'How often it is looked at, planned before it runs: once, or three times, and then it may end at a third or two thirds of the questions. All verdicts of a comparison are false in at most 5 % of cases',
        1,
      ),
    ),
})
export type CompareBody = z.output<typeof compareBody>

export const comparisonParams = flowParams.extend({
  jobId: z.string().register(docs, doc('The id of the job of the comparison', EXAMPLE_ID)),
})

const score = (description: string, example: number) => z.number().register(docs, doc(description, example))
const limit = (description: string, example: number) =>
  z.number().nullable().register(docs, doc(description, example))

const measure = (what: string) =>
  z
    .object({
      value: score('The mean of the variant', 0.74),
      difference: score('The variant less the baseline', 0.041),
      low: limit('The lower end of the interval of 95 %; null below 30 questions', 0.012),
      high: limit('Its upper end', 0.07),
    })
    .register(docs, doc(what, { value: 0.74, difference: 0.041, low: 0.012, high: 0.07 }))

const verdict = z
  .object({
    kind: z
      .enum(VERDICT_KINDS)
      .register(
        docs,
        doc(
          'better: the variant is; worse: the baseline is; alike: a difference above .02 is unlikely; open: it cannot be told',
        ),
      ),
    questions: count.meta(doc('The questions that the verdict is of', 120)),
    difference: score('nDCG@10 of the variant less that of the baseline', 0.041),
    low: limit(
      'The lower end of the interval of the same test, corrected for the number of variants; null where there is none',
      0.012,
    ),
    high: limit('Its upper end', 0.07),
    p: score('How likely so large a difference is where both are equally good', 0.004),
    detectable: score('The smallest difference that so many questions show in four of five cases', 0.05),
    needed: z
      .number()
      .register(docs, doc('About how many questions show a difference of .02 in four of five cases', 400)),
    sentence: z
      .string()
      .register(
        docs,
        doc('The verdict as a sentence', 'small chunks is better: +.041 (.012 to .070), 120 questions'),
      ),
  })
  .nullable()
  .register(docs, doc('What can be told of the variant against the baseline; null for the baseline', null))

const change = z.object({
  nodeId: z.string().register(docs, common.nodeId),
  input: z.string().register(docs, doc('The name of the input in flow files', 'chunkSize')),
  label: z.string().register(docs, common.inputLabel),
  from: z.unknown().register(docs, doc('The value of the stored flow; null where it is not shown', 1000)),
  to: z.unknown().register(docs, doc('The value of the variant; null where it is not shown', 600)),
})

const variant = z.object({
  name: z.string().register(docs, doc('The name of the variant', 'small chunks')),
  index: count.meta(doc('Variants with the same number share an index', 1)),
  documents: count.meta(doc('Documents in its index', 9)),
  failed: count.meta(doc('Documents that could not be loaded into it', 0)),
  chunks: count.meta(doc('Chunks in its index', 612)),
  tokens: count.meta(
    doc('Tokens that another server has embedded for its index, an estimate; 0 with the built-in model', 0),
  ),
  ndcg10: measure('nDCG@10, over the hits that users get'),
  recall10: measure('The share of what is judged right among the first ten hits that users get'),
  first: measure('The share of the questions whose first hit is right'),
  p50: z
    .number()
    .nullable()
    .register(
      docs,
      doc('The median time of a query in milliseconds, without the embedding of its question', 1.2),
    ),
  counts: z
    .object({
      better: count.meta(doc('Questions that it answers better than the baseline', 4)),
      worse: count.meta(doc('Questions that it answers worse', 1)),
      same: count.meta(doc('Questions that it answers as well', 37)),
      neither: count.meta(doc('Of the latter those for which neither finds what is right', 3)),
    })
    .register(
      docs,
      doc('Its questions beside those of the baseline', { better: 4, worse: 1, same: 37, neither: 3 }),
    ),
  verdict,
  revision: z.number().nullable().register(docs, doc('The earlier revision that it is; null for none', null)),
  ownDrawing: z.boolean().register(docs, doc('Whether the request had a drawing for it')),
  changes: z.array(change).register(docs, doc('The inputs that the request changed', [])),
})

const answer = z.object({
  place: z
    .number()
    .nullable()
    .register(
      docs,
      doc('The place of the first right hit among those that users get, from 1; null for none', 1),
    ),
  ndcg10: score('nDCG@10 of the answer', 1),
  recall10: score('recall@10 of the answer', 1),
  ms: score('Milliseconds of the query, without the embedding of the question', 1.1),
  hit: z
    .object({
      source: z.string().register(docs, common.source),
      place: count.meta(doc('Its place among the hits, from 1', 1)),
      score: score('Its score', 0.64),
      text: z.string().register(docs, doc('The beginning of its text', 'The notice period is four weeks.')),
    })
    .nullable()
    .register(
      docs,
      doc(
        'The first right hit, or the first hit where none is right; null where there is none. Of more than 300 questions the first 300 that variants answer otherwise have them',
        null,
      ),
    ),
})

const row = z.object({
  id: z.string().register(docs, doc('The id of the question', EXAMPLE_ID)),
  text: z.string().register(docs, doc('The question', 'How long is the notice period?')),
  sources: z.array(z.string()).register(docs, doc('The documents that are judged right', ['handbook.pdf'])),
  answers: z.array(answer).register(docs, doc('The answer of each variant, in their order', [])),
})

export const comparisonOutcome = z.object({
  variants: z.array(variant).register(docs, doc('The variants, the baseline first', [])),
  questions: count.meta(doc('How many questions were asked', 120)),
  planned: count.meta(doc('How many were planned: a look may end the comparison earlier', 120)),
  looks: z.number().register(docs, doc('How often it was looked at', 1)),
  documents: z
    .object({
      files: count.meta(doc('Documents that were read from their kept files', 5)),
      texts: count.meta(doc('Documents whose text was put together from their stored chunks', 4)),
      missing: z
        .object({
          count: count.meta(doc('How many documents had neither', 0)),
          names: z.array(z.string()).register(docs, doc('The names of the first twenty', [])),
        })
        .register(docs, doc('Documents that are not in the indexes', { count: 0, names: [] })),
    })
    .register(
      docs,
      doc('What the indexes were made of', { files: 5, texts: 4, missing: { count: 0, names: [] } }),
    ),
  uncounted: z
    .array(
      z.object({
        id: z.string().register(docs, doc('The id of the question', EXAMPLE_ID)),
        text: z.string().register(docs, doc('The question', 'Who signs at night?')),
        reason: z
          .enum(UNCOUNTED_REASONS)
          .register(
            docs,
            doc('unjudged: nothing is judged right; gone: what is judged right is no document any more'),
          ),
      }),
    )
    .register(docs, doc('Questions that were not asked', [])),
  rows: z.array(row).register(docs, doc('The questions, those that a variant answers worse first', [])),
  resumed: z.boolean().register(docs, doc('Whether it went on after its server was gone')),
})
export type ComparisonAnswer = z.output<typeof comparisonOutcome>

const head = {
  id: z.string().register(docs, doc('The id of the comparison, which is that of its job', EXAMPLE_ID)),
  state: z.enum(JOB_STATES).register(docs, common.jobState),
  attempt: count.meta(doc('From 2 the job has begun again: it was retried, or its server was gone', 1)),
  createdAt: moment.register(docs, common.created),
  error: z
    .object({
      code: z.string().register(docs, common.errorCode),
      message: z
        .string()
        .register(docs, doc('Why it failed', 'The comparison cannot be made: there is no accepted question')),
    })
    .nullable()
    .register(docs, doc('Why it failed; null unless it did', null)),
}

export const comparisonShape = z.object({
  ...head,
  outcome: comparisonOutcome.nullable().register(docs, doc('The result; null until it is done', null)),
})

const headShape = z.object(head)
export type ComparisonHeadAnswer = z.output<typeof headShape>

export const comparisonPage = pageOf(headShape)
