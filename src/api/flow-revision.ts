import { z } from 'zod'
import { doc, docs, EXAMPLE_ID } from './doc.ts'
import { shownFlow } from './flow.ts'
import { moment } from './json.ts'
import { pageOf } from './paging.ts'

/** One save of a flow. */
export const flowRevision = z.object({
  number: z.number().int().register(docs, doc('The number of the revision, from 1', 3)),
  savedAt: moment.meta(doc('When it was saved, ISO 8601 in UTC', '2026-11-21T09:30:00.000Z')),
  savedBy: z
    .string()
    .register(
      docs,
      doc(
        'The name of the key that saved it, ADMIN_KEY, studio session, or Sluice for a flow of the first start',
        'studio session',
      ),
    ),
  name: z.string().register(docs, doc('The name of the flow at that time', 'Handbook')),
  changes: z
    .array(z.string())
    .register(docs, doc('The fields that differ from the revision before', ['flowData', 'name'])),
})

export type RevisionAnswer = z.output<typeof flowRevision>

export const flowRevisions = pageOf(flowRevision)

export const savedRevision = flowRevision.extend({
  flow: shownFlow.meta(
    doc('The flow as it was saved', { id: EXAMPLE_ID, slug: 'handbook', name: 'Handbook' }),
  ),
})
export type SavedRevisionAnswer = z.output<typeof savedRevision>

export const revisionParams = z.object({
  id: z.string().register(docs, doc('The id (UUID) or the slug of the flow', EXAMPLE_ID)),
  number: z
    .string()
    .regex(/^\d{1,15}$/, 'a whole number')
    .register(docs, doc('The number of the revision', '1')),
})

export const ifMatchHeader = z.object({
  'If-Match': z
    .string()
    .optional()
    .register(
      docs,
      doc('The ETag of the flow that the change is based on; 412 if it was saved meanwhile', '"3"'),
    ),
})
