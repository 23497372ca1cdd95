import { z } from 'zod'
import {
  QUESTION_LIMITS,
  QUESTION_ORIGINS,
  QUESTION_STATES,
  RUN_CAUSES,
  UNCOUNTED_REASONS,
} from '../contract/question-store.ts'
import { common, doc, docs, EXAMPLE_ID, EXAMPLE_MOMENT } from './doc.ts'
import { asyncQuery } from './job-request.ts'
import { count, moment } from './json.ts'
import { pageOf, pageQuery } from './paging.ts'

const EXAMPLE_JUDGEMENT = {
  source: 'handbook.txt',
  passage: { quote: 'The notice period is four weeks.' },
  grade: 1,
}

const passage = z.object({
  quote: z
    .string()
    .refine((text) => text.trim() !== '', 'expected a text')
    .max(QUESTION_LIMITS.quote)
    .register(
      docs,
      doc('The text of the passage, as the document has it', 'The notice period is four weeks.'),
    ),
  start: count.optional().meta(doc('Where it begins in the text of the document; a hint', 0)),
  end: count.optional().meta(doc('Where it ends', 32)),
})

/** A judgement without its grade: what it is about. */
const judged = z.object({
  source: z.string().min(1).max(1024).register(docs, common.source),
  passage: passage
    .optional()
    .register(
      docs,
      doc(
        'A passage of the document; without it any chunk of the document is meant',
        EXAMPLE_JUDGEMENT.passage,
      ),
    ),
})
const judgement = judged.extend({
  grade: count.max(10).meta(doc('0: judged wrong; from 1: right, larger is better', 1)),
})

const text = z
  .string()
  .trim()
  .min(1)
  .max(QUESTION_LIMITS.text)
  .meta(doc('The question, at most 2,000 characters', 'How long is the notice period?'))
const state = z
  .enum(QUESTION_STATES)
  .meta(doc('accepted, or proposed by this program and not accepted yet', 'accepted'))
const origin = z
  .enum(QUESTION_ORIGINS)
  .meta(doc('Where it came from: hit, document, feedback, import or proposal', 'hit'))
const judgements = z
  .array(judgement)
  .max(QUESTION_LIMITS.judgements)
  .meta(doc('What answers it, and what does not', [EXAMPLE_JUDGEMENT]))

export const questionShape = z.object({
  id: z.string().register(docs, doc('The id of the question, a UUID', EXAMPLE_ID)),
  text,
  state,
  origin,
  judgements,
  createdAt: moment.meta(common.created),
  updatedAt: moment.meta(common.changed),
})
export type QuestionAnswer = z.output<typeof questionShape>

export const questionListQuery = pageQuery.extend({
  state: z.enum(QUESTION_STATES).optional().register(docs, doc('Only questions in this state', 'accepted')),
  search: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .register(docs, doc('Only questions with this in their text; each letter in either case', 'notice')),
})
export const questionPage = pageOf(questionShape).extend({
  counts: z
    .object({
      accepted: count.meta(doc('How many accepted questions the flow has', 42)),
      proposed: count.meta(doc('How many proposed ones', 0)),
    })
    .register(docs, doc('How many questions the flow has, by state', { accepted: 42, proposed: 0 })),
})
export type QuestionPageAnswer = z.output<typeof questionPage>

export const questionBody = z.object({
  questions: z
    .array(
      z.object({
        text,
        state: state.optional(),
        origin: origin.optional(),
        judgements: judgements.optional(),
      }),
    )
    .min(1)
    .max(QUESTION_LIMITS.questions)
    .register(
      docs,
      doc('The questions. One that the flow has already gets the judgements', [
        { text: 'How long is the notice period?', judgements: [EXAMPLE_JUDGEMENT] },
      ]),
    ),
})
export type QuestionBody = z.input<typeof questionBody>
export const questionsStored = z.object({
  questions: z.array(questionShape).register(docs, doc('The questions as they are stored now', [])),
  numAdded: count.meta(doc('How many of them are new', 1)),
})
export type QuestionsStored = z.output<typeof questionsStored>

export const questionParams = z.object({
  flowId: z.string().register(docs, doc('The id (UUID) or the slug of the flow', 'quickstart')),
  questionId: z.string().register(docs, doc('The id of the question, a UUID', EXAMPLE_ID)),
})
export const questionPatch = z.object({
  text: text.optional(),
  state: state.optional(),
  judge: z
    .array(judgement)
    .max(QUESTION_LIMITS.judgements)
    .optional()
    .register(docs, doc('Judgements to add, or to replace those of the same passage', [EXAMPLE_JUDGEMENT])),
  unjudge: z
    .array(judged)
    .max(QUESTION_LIMITS.judgements)
    .optional()
    .register(docs, doc('Judgements to take back', [{ source: 'handbook.txt' }])),
})
export type QuestionPatch = z.input<typeof questionPatch>

export const questionRemovalQuery = z.object({
  state: z
    .enum(QUESTION_STATES)
    .register(docs, doc('Which questions are removed: accepted or proposed', 'proposed')),
})
export const questionRemoval = z.object({
  numRemoved: count.meta(doc('How many questions were removed', 1)),
})

const CORPUS =
  '{"_id":"handbook.txt#1","title":"handbook.txt","text":"The notice period is four weeks.","source":"handbook.txt","passage":{}}\n'
const file = (what: string, example: string) => z.string().register(docs, doc(what, example))
const QUERIES = '{"_id":"q1","text":"How long is the notice period?"}\n'
const QRELS = 'query-id\tcorpus-id\tscore\nq1\thandbook.txt#1\t1\n'

export const questionFiles = z.object({
  corpus: file('corpus.jsonl: a judged document or passage a line', CORPUS),
  queries: file('queries.jsonl: a question a line', QUERIES),
  qrels: file('qrels.tsv: question, document and grade a line', QRELS),
})
export type QuestionFilesAnswer = z.output<typeof questionFiles>
export const questionImportBody = z.object({
  corpus: z
    .string()
    .nullish()
    .register(
      docs,
      doc('corpus.jsonl; needed only where an id of it is not the name of a document in the store', CORPUS),
    ),
  queries: file('queries.jsonl: a question a line, with _id and text', QUERIES),
  qrels: file('qrels.tsv: question, document and grade a line, with tabs between', QRELS),
})
export const questionsImported = z.object({
  numAdded: count.meta(doc('How many questions are new', 1)),
  numChanged: count.meta(doc('How many the flow had already; they got the judgements', 0)),
  numUnjudged: count.meta(doc('How many were left out, since no judgement of them is left', 0)),
  numUnreadable: count.meta(
    doc('How many were left out, since they have no text or one that is too long', 0),
  ),
  numDuplicates: count.meta(doc('How many had the text of one before', 0)),
  missing: z
    .array(z.string())
    .register(docs, doc('Documents that are judged and that the store does not have, by id', [])),
})
export type QuestionsImported = z.output<typeof questionsImported>

export const proposalBody = z.object({
  limit: count
    .min(1)
    .max(100)
    .optional()
    .meta(doc('How many questions are proposed at most, 1 to 100; 100 unless given', 20)),
})
export const feedbackCandidates = z.object({
  data: z
    .array(
      z.object({
        messageId: z.string().register(docs, doc('The id of the answer that was rated', EXAMPLE_ID)),
        text: z.string().register(docs, doc('What the visitor asked', 'How long is the notice period?')),
        rating: z
          .enum(['THUMBS_UP', 'THUMBS_DOWN'])
          .register(docs, doc('How the visitor rated the answer', 'THUMBS_UP')),
        judgements: judgements.meta(
          doc('The passages of the answer, right after a good rating and wrong after a bad one', [
            EXAMPLE_JUDGEMENT,
          ]),
        ),
      }),
    )
    .register(docs, doc('The newest rated answers whose question the flow does not have yet', [])),
})
export type FeedbackCandidates = z.output<typeof feedbackCandidates>

export const evalQuery = asyncQuery
export const evalBody = z.looseObject({
  stopNodeId: z.string().nullish().register(docs, common.storeNode),
})

const mean = (what: string, example: number) => z.number().nullable().register(docs, doc(what, example))
const revision = count.meta(doc('The revision of the flow that was asked', 3))
const cause = z
  .enum(RUN_CAUSES)
  .meta(doc('What started the run: asked (a person), upsert or publish', 'asked'))
const measures = z
  .object({
    asked: count.meta(doc('How many questions were asked', 42)),
    counted: count.meta(doc('How many of them are counted in the means', 41)),
    ndcg10: mean('Mean nDCG of the first ten hits, 0 to 1; null where no question is counted', 0.82),
    recall10: mean('Mean share of the right passages among the first ten hits, 0 to 1', 0.9),
    first: mean('The share of the questions whose first hit is right, 0 to 1', 0.71),
    p50: mean('The time of a query in milliseconds, median', 4.2),
    p95: mean('The same, the 95th percentile', 9.1),
  })
  .meta(doc('Means over the counted questions', { asked: 42, counted: 41, ndcg10: 0.82 }))

/** The answer of a run of the questions of a flow. It has no text of a question: more keys may read jobs. */
export const evalShape = z.object({
  run: z.string().register(docs, doc('The id of the run, which has the result of each question', EXAMPLE_ID)),
  revision,
  cause,
  measures,
  numGone: count.meta(doc('Questions that are not counted: what they were judged by is gone', 1)),
  numUnjudged: count.meta(doc('Questions that are not counted: nothing is judged right', 0)),
  numBetter: count.meta(doc('Questions with a better answer than in the run before', 4)),
  numWorse: count.meta(doc('Questions with a worse one', 1)),
  failing: z
    .array(z.string())
    .register(
      docs,
      doc('The ids of questions that had a right hit in the run before, and have none now', []),
    ),
  jobId: z.string().register(docs, common.jobId),
  timeTaken: z.number().register(docs, common.timeTaken),
})
export type EvalAnswer = z.output<typeof evalShape>

export const runHead = z.object({
  id: z.string().register(docs, doc('The id of the run', EXAMPLE_ID)),
  revision,
  cause,
  measures,
  startedAt: moment.meta(doc('When it began, ISO 8601 in UTC', EXAMPLE_MOMENT)),
  finishedAt: moment.meta(doc('When it ended, ISO 8601 in UTC', EXAMPLE_MOMENT)),
})
export type EvalRunHead = z.output<typeof runHead>
export const runPage = pageOf(runHead)
export const runParams = z.object({
  flowId: z.string().register(docs, doc('The id (UUID) or the slug of the flow', 'quickstart')),
  runId: z.string().register(docs, doc('The id of the run, or last for the newest one', 'last')),
})

/** How the answer to a question changed from the run before; see `changeOf` of `evaluate/`. */
const CHANGES = ['worse', 'better', 'same', 'new', 'uncounted'] as const
const place = count.nullable()
export const evalRunShape = runHead.extend({
  before: runHead
    .nullable()
    .register(docs, doc('The run before, which results are compared with; null for the first', null)),
  results: z
    .array(
      z.object({
        question: z.string().register(docs, doc('The id of the question', EXAMPLE_ID)),
        text: z.string().register(docs, doc('As it was asked', 'How long is the notice period?')),
        place: place.meta(doc('The place of the first right hit, from 1; null where none is right', 1)),
        ndcg10: mean('nDCG of the first ten hits, 0 to 1; null where it is not counted', 1),
        recall10: mean('The share of the right passages among the first ten hits', 1),
        ms: z.number().register(docs, doc('The time of the query in milliseconds', 4.2)),
        uncounted: z
          .enum(UNCOUNTED_REASONS)
          .optional()
          .register(docs, doc('Why it is not counted: unjudged or gone; absent where it is', 'gone')),
        gone: z
          .array(z.string())
          .optional()
          .register(docs, doc('Documents that were judged right and are not in the store any more', [])),
        change: z
          .enum(CHANGES)
          .register(docs, doc('Against the run before: worse, better, same, new or uncounted', 'same')),
        was: place.optional().meta(doc('The place in the run before; absent where it was not asked', 1)),
      }),
    )
    .register(docs, doc('The result of each question, those that became worse first', [])),
})
export type EvalRunAnswer = z.output<typeof evalRunShape>
