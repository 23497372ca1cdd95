import { z } from 'zod'
import { EXECUTION_STATES } from '../contract/flow-execution-store.ts'
import { count, moment } from './json.ts'
import { dateRange, pageOf, pageQuery } from './paging.ts'
import { executedNode } from './prediction.ts'

/** A run of an agent flow, with the input and output of each node. */
export const executionShape = z.object({
  id: z.string(),
  agentflowId: z.string(),
  sessionId: z.string(),
  chatId: z.string(),
  state: z.enum(EXECUTION_STATES),
  executionData: z.array(executedNode),
  steps: count,
  createdDate: moment,
  updatedDate: moment,
})

export const executionPage = pageOf(executionShape)

export const executionListQuery = pageQuery.extend({
  id: z.string().optional(),
  agentflowId: z.string().optional(),
  sessionId: z.string().optional(),
  state: z.enum(EXECUTION_STATES).optional(),
  summary: z.stringbool().optional(),
  ...dateRange.shape,
})

/** The ids of executions to remove. */
export const executionRemoval = z.object({ executionIds: z.array(z.string()).min(1).max(1000) })

export type ExecutionAnswer = z.output<typeof executionShape>
