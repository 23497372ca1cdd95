import { z } from 'zod'
import { shownFlow } from './flow.ts'
import { moment } from './json.ts'
import { pageOf } from './paging.ts'

/** One save of a flow. */
export const flowRevision = z.object({
  number: z.number().int(),
  savedAt: moment,
  savedBy: z.string(),
  name: z.string(),
  changes: z.array(z.string()),
})

export type RevisionAnswer = z.output<typeof flowRevision>

export const flowRevisions = pageOf(flowRevision)

export const savedRevision = flowRevision.extend({ flow: shownFlow })
export type SavedRevisionAnswer = z.output<typeof savedRevision>

export const revisionParams = z.object({
  id: z.string(),
  number: z.string().regex(/^\d{1,15}$/, 'a whole number'),
})

export const ifMatchHeader = z.object({ 'If-Match': z.string().optional() })
