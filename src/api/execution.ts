import { z } from 'zod'
import { executedNode } from './prediction.ts'

/** A run of an agent flow, with what each of its nodes took and gave. */
export const executionShape = z.object({
  id: z.string(),
  agentflowId: z.string(),
  sessionId: z.string(),
  chatId: z.string(),
  state: z.enum(['FINISHED', 'STOPPED', 'ERROR', 'TERMINATED']),
  executionData: z.array(executedNode),
  createdDate: z.iso.datetime(),
  updatedDate: z.iso.datetime(),
})
