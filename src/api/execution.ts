import { z } from 'zod'
import { EXECUTION_KINDS, EXECUTION_STATES } from '../contract/flow-execution-store.ts'
import { SPAN_KINDS } from '../contract/run-span.ts'
import { answerFailure } from './chat.ts'
import { count, jsonValue, moment } from './json.ts'
import { dateRange, pageOf, pageQuery } from './paging.ts'
import { executedNode } from './prediction.ts'

/** A part of a run: a node, a call of a model or tool, a search, or the wait for a person. */
const spanShape = z.object({
  id: count,
  parent: count.optional(),
  kind: z.enum(SPAN_KINDS),
  name: z.string(),
  status: z.enum(EXECUTION_STATES),
  offset: z.number().nonnegative(),
  ms: z.number().nonnegative().optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
  nodeId: z.string().optional(),
  purpose: z.string().optional(),
  inputTokens: count.optional(),
  outputTokens: count.optional(),
  input: jsonValue.optional(),
  output: z.string().optional(),
  httpStatus: count.optional(),
  query: z.string().optional(),
  hits: count.optional(),
  sources: z.array(z.object({ source: z.string(), score: z.number().optional() })).optional(),
  decision: z.enum(['proceed', 'reject']).optional(),
})

/** A run of a flow, with the input and output of each node, and the times of what it did. */
export const executionShape = z.object({
  id: z.string(),
  kind: z.enum(EXECUTION_KINDS),
  title: z.string(),
  agentflowId: z.string(),
  sessionId: z.string(),
  chatId: z.string(),
  state: z.enum(EXECUTION_STATES),
  executionData: z.array(executedNode),
  steps: count,
  failure: answerFailure.optional(),
  spans: z.array(spanShape),
  omittedSpans: count,
  createdDate: moment,
  updatedDate: moment,
})

export const executionPage = pageOf(executionShape)

export const executionListQuery = pageQuery.extend({
  id: z.string().optional(),
  kind: z.enum(EXECUTION_KINDS).optional(),
  search: z.string().max(200).optional(),
  agentflowId: z.string().optional(),
  sessionId: z.string().optional(),
  state: z.enum(EXECUTION_STATES).optional(),
  summary: z.stringbool().optional(),
  ...dateRange.shape,
})

/** The ids of executions to remove. */
export const executionRemoval = z.object({ executionIds: z.array(z.string()).min(1).max(1000) })

export type SpanAnswer = z.output<typeof spanShape>
export type ExecutionAnswer = z.output<typeof executionShape>
