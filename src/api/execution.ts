import { z } from 'zod'
import { EXECUTION_KINDS, EXECUTION_STATES } from '../contract/flow-execution-store.ts'
import { SPAN_KINDS } from '../contract/run-span.ts'
import { answerFailure } from './chat.ts'
import { common, doc, docs, EXAMPLE_ID } from './doc.ts'
import { count, jsonValue, moment } from './json.ts'
import { dateRange, pageOf, pageQuery } from './paging.ts'
import { executedNode } from './prediction.ts'

/** A part of a run: a node, a call of a model or tool, a search, or the wait for a person. */
export const spanShape = z.object({
  id: count.meta(doc('The number of the span in its run, from 1', 2)),
  parent: count
    .optional()
    .register(
      docs,
      doc('The number of the span within which it ran; absent for one that belongs to the run itself', 1),
    ),
  kind: z
    .enum(SPAN_KINDS)
    .register(
      docs,
      doc(
        'A node of an agent flow, a call of a model or tool, a search, the wait for a person, or what a node did in an upsert or a query',
        'model',
      ),
    ),
  name: z
    .string()
    .register(
      docs,
      doc(
        'The node, the model with its address, the tool, or the namespace that was searched',
        'create_event',
      ),
    ),
  status: z.enum(EXECUTION_STATES).register(docs, doc('How it ended', 'FINISHED')),
  offset: z
    .number()
    .nonnegative()
    .register(docs, doc('When it began, in milliseconds after the run began', 12)),
  ms: z
    .number()
    .nonnegative()
    .optional()
    .register(docs, doc('How long it took, in milliseconds; absent until it has ended', 340.5)),
  error: z
    .object({
      code: z.string().register(docs, doc('The code of the error', 'provider_failed')),
      message: z.string().register(docs, doc('Why it failed, in one sentence', 'The model server failed')),
    })
    .optional()
    .register(docs, doc('Why it failed', { code: 'provider_failed', message: 'The model server failed' })),
  nodeId: z
    .string()
    .optional()
    .register(
      docs,
      doc('Its node in the drawing; within a node of an agent flow that node', 'llmAgentflow_0'),
    ),
  purpose: z
    .string()
    .optional()
    .register(
      docs,
      doc('model: why it was called, where that is not the answer itself', 'rephrase the question'),
    ),
  inputTokens: count.optional().register(docs, doc('model: the tokens that it read', 812)),
  outputTokens: count.optional().register(docs, doc('model: the tokens that it wrote', 64)),
  calls: z
    .array(
      z.looseObject({
        id: z.string().register(docs, doc('The id that the model gave the call', 'call_1')),
        name: z.string().register(docs, doc('The name of the tool', 'create_event')),
        input: z
          .string()
          .register(docs, doc('The input as the model wrote it, JSON', '{"name":"Book fair"}')),
      }),
    )
    .optional()
    .register(docs, doc('model: the calls of tools that it asked for', [])),
  recorded: z
    .literal(true)
    .optional()
    .register(
      docs,
      doc('Whether it was not done again, but has its answer from the record of the run that is repeated'),
    ),
  cut: z
    .literal(true)
    .optional()
    .register(docs, doc('Whether texts of it were cut: it cannot be repeated from the record')),
  counts: z
    .record(z.string(), count)
    .optional()
    .register(docs, doc('stage: how much passed it, by what is counted', { files: 9, chunks: 381 })),
  input: jsonValue
    .optional()
    .register(docs, doc('tool: what the model gave it, long texts cut', { name: 'Book fair' })),
  output: z
    .string()
    .optional()
    .register(
      docs,
      doc('model: what it wrote; tool: what it gave back; at most 16,000 characters', 'HTTP 201 Created'),
    ),
  httpStatus: count.optional().register(docs, doc('tool: the status of its last HTTP call', 201)),
  query: z.string().optional().register(docs, doc('search: what was searched', 'notice period')),
  pinned: z
    .literal(true)
    .optional()
    .register(docs, doc('search: whether it was limited to the documents of the pins of a key')),
  hits: count.optional().register(docs, doc('search: how many chunks were found', 4)),
  sources: z
    .array(
      z.object({
        source: z.string().register(docs, doc('The name of the document', 'lease.pdf')),
        score: z
          .number()
          .optional()
          .register(docs, doc('The score of the chunk, comparable within this search only', 0.82)),
        vector: z
          .number()
          .nullish()
          .register(
            docs,
            doc('The score of the search by vector; null where it did not find the chunk', 0.71),
          ),
        keyword: z
          .number()
          .nullish()
          .register(
            docs,
            doc('The score of the search by keyword; null where it did not find the chunk', 6.2),
          ),
        text: z
          .string()
          .optional()
          .register(docs, doc('The beginning of the chunk', 'The notice period is four weeks')),
      }),
    )
    .optional()
    .register(
      docs,
      doc('search: the sources of the best five chunks, with scores', [{ source: 'lease.pdf', score: 0.82 }]),
    ),
  decision: z
    .enum(['proceed', 'reject'])
    .optional()
    .register(docs, doc('wait: what the person decided', 'proceed')),
})

/** A run of a flow, with the input and output of each node, and the times of what it did. */
export const executionShape = z.object({
  id: z.string().register(docs, doc('The id of the run, a UUID', EXAMPLE_ID)),
  kind: z.enum(EXECUTION_KINDS).register(docs, doc('The kind of flow that ran', 'AGENTFLOW')),
  title: z.string().register(docs, doc('The beginning of the question', 'How long is the notice period?')),
  agentflowId: z.string().register(docs, doc('The id of the flow', EXAMPLE_ID)),
  sessionId: z.string().register(docs, common.sessionId),
  chatId: z.string().register(docs, common.chatId),
  state: z
    .enum(EXECUTION_STATES)
    .register(
      docs,
      doc(
        'The state of the run: INPROGRESS, STOPPED (it waits for a person), FINISHED, ERROR or TERMINATED',
        'FINISHED',
      ),
    ),
  executionData: z
    .array(executedNode)
    .register(docs, doc('The nodes that have run, in order; the last one may have failed', [])),
  steps: count.meta(doc('How many nodes of an agent flow have run, or how many spans a chat flow has', 3)),
  failure: answerFailure.optional().register(
    docs,
    doc('Why the run did not end well; code cancelled where it was stopped', {
      code: 'provider_failed',
      message: 'The provider answered with status 500',
    }),
  ),
  spans: z.array(spanShape).register(docs, doc('What the run did, in the order in which it began', [])),
  omittedSpans: count.meta(doc('How many later spans were too many to keep', 0)),
  createdDate: moment.meta(common.created),
  updatedDate: moment.meta(common.changed),
})

export const executionPage = pageOf(executionShape)

export const executionListQuery = pageQuery.extend({
  id: z.string().optional().register(docs, doc('Only the run with this id', EXAMPLE_ID)),
  kind: z.enum(EXECUTION_KINDS).optional().register(docs, doc('Only runs of this kind of flow', 'AGENTFLOW')),
  search: z
    .string()
    .max(200)
    .optional()
    .register(docs, doc('Only runs with this in their questions; each letter in either case', 'notice')),
  agentflowId: z
    .string()
    .optional()
    .register(docs, doc('Only runs of this flow: its id or slug', EXAMPLE_ID)),
  sessionId: z.string().optional().register(docs, doc('Only runs of this session', 'chat-1')),
  state: z.enum(EXECUTION_STATES).optional().register(docs, doc('Only runs in this state', 'INPROGRESS')),
  summary: z
    .stringbool()
    .optional()
    .register(docs, doc('Whether executionData and spans are left out: they are empty lists', 'true')),
  ...dateRange.shape,
})

/** The ids of executions to remove. */
export const executionRemoval = z.object({
  executionIds: z
    .array(z.string())
    .min(1)
    .max(1000)
    .register(docs, doc('The ids of executions, at most 1,000', [EXAMPLE_ID])),
})

export type SpanAnswer = z.output<typeof spanShape>
export type ExecutionAnswer = z.output<typeof executionShape>
