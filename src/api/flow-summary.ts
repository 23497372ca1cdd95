import { z } from 'zod'
import { JOB_STATES } from '../contract/job.ts'
import { flowSlug, listedFlow } from './flow.ts'
import { count, moment } from './json.ts'

const lastUpsert = z.object({
  jobId: z.string().nullable(),
  state: z.enum(JOB_STATES),
  at: moment,
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  failed: count,
  empty: count,
})

/** A flow without its drawing, with its contents and problems. */
export const flowSummary = listedFlow.extend({
  revision: count,
  key: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
  chunks: count,
  documents: count,
  problemCount: count,
  problem: z.string().nullable(),
  lastUpsert: lastUpsert.nullable(),
})
export type FlowSummaryAnswer = z.output<typeof flowSummary>

export const flowSummaryList = z.array(flowSummary)

/** A deleted flow that can be restored until `removedAt`. */
export const deletedFlow = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  type: z.string(),
  deletedAt: moment,
  removedAt: moment,
  chunks: count,
  documents: count,
  diskBytes: count,
})
export type DeletedFlowAnswer = z.output<typeof deletedFlow>

export const deletedFlowList = z.array(deletedFlow)

export const restoreBody = z.object({ slug: flowSlug.optional() })

export const deletionQuery = z.object({ now: z.stringbool().optional() })
