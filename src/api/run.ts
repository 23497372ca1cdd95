import { z } from 'zod'
import { EXECUTION_STATES } from '../contract/flow-execution-store.ts'
import { TOOL_ANSWERS } from '../contract/run-again.ts'
import { answerFailure } from './chat.ts'
import { common, doc, docs, EXAMPLE_ID, EXAMPLE_MOMENT } from './doc.ts'
import { spanShape } from './execution.ts'
import { count, jsonObject, jsonValue, moment } from './json.ts'

/** What ran: an answer of a flow, a job, or a query that was asked for its record. */
export const RUN_KINDS = [
  'answer',
  'upsert',
  'dryRun',
  'reindex',
  'verify',
  'repair',
  'eval',
  'compare',
  'query',
] as const

/** What a file with a record begins with, so that it is known for one. */
export const RUN_FORMAT = 'sluice-run-1'

/** Whether the drawing is still the one that ran. */
export const DRAWING_STATES = ['same', 'changed', 'gone'] as const

const runHead = {
  id: z.string().register(docs, doc('The id of the run: of the execution or of the job', EXAMPLE_ID)),
  kind: z.enum(RUN_KINDS).register(docs, doc('What ran: an answer, a job by its kind, or a query', 'answer')),
  state: z
    .enum(EXECUTION_STATES)
    .register(
      docs,
      doc(
        'How it is: INPROGRESS, STOPPED (it waits for a person), FINISHED, ERROR or TERMINATED (stopped, or its server ended)',
        'FINISHED',
      ),
    ),
  title: z
    .string()
    .register(docs, doc('The beginning of the question, or what the job does', 'Upsert of 9 files')),
  startedAt: moment.meta(doc('When it began, ISO 8601 in UTC', EXAMPLE_MOMENT)),
  ms: z
    .number()
    .nonnegative()
    .nullable()
    .register(docs, doc('How long it took, in milliseconds; null until it has ended', 1240)),
}

const lineShape = z.object({
  from: z.string().register(docs, common.nodeId),
  to: z.string().register(docs, doc('The id of the node that it leads to', 'builtInVectorStore_0')),
  unit: z.string().register(docs, doc('What is counted', 'chunks')),
  count: count.meta(doc('How many passed', 214)),
  items: z
    .array(
      z.object({
        title: z.string().register(docs, doc('What it is', 'manual.pdf #4, 402 characters')),
        text: z.string().register(docs, doc('Its beginning', 'The code word over the radio')),
      }),
    )
    .max(3)
    .register(docs, doc('The last three, the newest last', [])),
})

const runNodeShape = z.object({
  id: z.string().register(docs, common.nodeId),
  label: z.string().register(docs, common.nodeLabel),
  name: z.string().register(docs, common.nodeType),
  state: z
    .enum(EXECUTION_STATES)
    .optional()
    .register(docs, doc('How it is; absent for a node that has done nothing', 'FINISHED')),
  ms: z.number().nonnegative().register(docs, doc('Milliseconds of its work', 340)),
  counts: z
    .record(z.string(), count)
    .register(docs, doc('How much passed it, by what is counted', { chunks: 214 })),
})

const recordedSpan = spanShape.extend({
  notAgain: z
    .string()
    .optional()
    .register(
      docs,
      doc('Why the run cannot be done again from this step; absent where it can', 'a person decided here'),
    ),
})

/** The record of a run: what it did on one time axis, and what passed the nodes and lines of its drawing. It is also a file. */
export const runShape = z.object({
  format: z.literal(RUN_FORMAT).register(docs, doc('The form of the record', RUN_FORMAT)),
  ...runHead,
  flow: z
    .object({
      id: z.string().register(docs, common.flowId),
      name: z.string().register(docs, common.flowName),
    })
    .register(docs, doc('The flow that ran', { id: EXAMPLE_ID, name: 'Handbook' })),
  drawing: z
    .enum(DRAWING_STATES)
    .register(
      docs,
      doc('Whether the drawing is still the one that ran: same, changed, or gone with its flow', 'same'),
    ),
  failure: answerFailure
    .optional()
    .register(
      docs,
      doc('Why it did not end well', { code: 'provider_failed', message: 'The provider answered with 500' }),
    ),
  chatId: z.string().optional().register(docs, common.chatId),
  nodes: z.array(runNodeShape).register(docs, doc('The nodes of the drawing that took part', [])),
  lines: z.array(lineShape).register(docs, doc('What passed the lines of the drawing', [])),
  spans: z.array(recordedSpan).register(docs, doc('What it did, in the order in which it began', [])),
  omittedSpans: count.meta(doc('How many later spans were too many to keep', 0)),
})

export const runList = z.object({
  data: z.array(z.object(runHead)).register(docs, doc('The runs, newest first', [])),
})

export const runListQuery = z.object({
  flowId: z.string().register(docs, doc('The flow: its id or slug', 'quickstart')),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .default(20)
    .register(docs, doc('The most runs to list, 1 to 100; 20 unless given', 20)),
})

export const runAgainBody = z.object({
  from: count.meta(
    doc('The number of the step that is done anew; what came before it has its recorded answers', 2),
  ),
  input: jsonValue
    .optional()
    .register(
      docs,
      doc(
        'What this step gets instead of its recorded input: a text for a model or a search, an object for a tool; for a node the first step in it',
        'How long is the notice period in Spain?',
      ),
    ),
  question: z
    .string()
    .optional()
    .register(docs, doc('Another question for the whole run', 'How long is the notice period in Spain?')),
  tools: z
    .enum(TOOL_ANSWERS)
    .default('recorded')
    .register(
      docs,
      doc(
        'Where tools get their answers from this step on: recorded (a call without one ends the run), missing (called where the record has none) or live',
        'recorded',
      ),
    ),
  overrideConfig: jsonObject
    .optional()
    .register(docs, doc('What the first request changed: the record does not keep it', {})),
})

/** A run that was done again is a run of its own, in a conversation of its own. */
export const runAgainShape = z.object({
  runId: z.string().register(docs, doc('The id of the new run', EXAMPLE_ID)),
  chatId: z.string().register(docs, common.chatId),
  text: z.string().register(docs, doc('The new answer', 'Eight weeks')),
})

export type RunAnswer = z.output<typeof runShape>
export type RunHead = z.output<typeof runList>['data'][number]
export type RunLineAnswer = z.output<typeof lineShape>
export type RunNodeAnswer = z.output<typeof runNodeShape>
export type RunSpanAnswer = z.output<typeof recordedSpan>
