import { z } from 'zod'
import { JOB_STATES } from '../contract/job.ts'
import { common, doc, docs, EXAMPLE_ID } from './doc.ts'
import { flowSlug, listedFlow } from './flow.ts'
import { count, moment } from './json.ts'

export const lastUpsertShape = z.object({
  jobId: z.string().nullable().register(docs, doc('The job; null where it is not kept any more', EXAMPLE_ID)),
  state: z.enum(JOB_STATES).register(docs, common.jobState),
  at: moment.meta(
    doc('When it ended, ISO 8601 in UTC; before that, when it was requested', '2026-11-21T09:30:00.000Z'),
  ),
  error: z
    .object({
      code: z.string().register(docs, doc('The code of the error', 'file_encrypted')),
      message: z
        .string()
        .register(docs, doc('Why it failed, in one sentence', 'handbook.pdf is protected by a password')),
    })
    .nullable()
    .register(docs, doc('Why it failed; null where it did not', null)),
  failed: count.meta(doc('How many of its files could not be loaded', 0)),
  empty: count.meta(doc('How many of its files had no text', 0)),
})

/** A flow without its drawing, with its contents and problems. */
export const flowSummary = listedFlow.extend({
  revision: count.meta(common.revision),
  key: z
    .object({
      id: z.string().register(docs, common.keyId),
      name: z.string().nullable().register(docs, common.keyName),
    })
    .nullable()
    .register(docs, common.flowKey),
  chunks: count.meta(doc('The number of chunks of the flow', 12)),
  documents: count.meta(doc('The number of documents of the flow, without the files of conversations', 3)),
  problemCount: count.meta(
    doc('The number of problems that keep the flow from running; POST /flows/validate lists them', 0),
  ),
  problem: z
    .string()
    .nullable()
    .register(docs, doc('The first of these problems, as a sentence; null if there is none', null)),
  lastUpsert: lastUpsertShape
    .nullable()
    .register(docs, doc('The last upsert of the flow; null before the first', null)),
})
export type FlowSummaryAnswer = z.output<typeof flowSummary>

export const flowSummaryList = z.array(flowSummary)

/** A deleted flow that can be restored until `removedAt`. */
export const deletedFlow = z.object({
  id: z.string().register(docs, common.flowId),
  slug: z
    .string()
    .register(docs, doc('The name of the flow in web addresses until it was deleted', 'handbook')),
  name: z.string().register(docs, common.flowName),
  type: z.string().register(docs, common.flowType),
  deletedAt: moment.meta(doc('When the flow was deleted, ISO 8601 in UTC', '2026-11-21T09:30:00.000Z')),
  removedAt: moment.meta(
    doc('When the flow is removed for good, ISO 8601 in UTC', '2026-12-21T09:30:00.000Z'),
  ),
  chunks: count.meta(doc('The number of chunks of the flow', 12)),
  documents: count.meta(doc('The number of documents of the flow, without the files of conversations', 3)),
  diskBytes: count.meta(doc('About how much disk space its chunks take, in bytes', 48_000)),
})
export type DeletedFlowAnswer = z.output<typeof deletedFlow>

export const deletedFlowList = z.array(deletedFlow)

export const restoreBody = z.object({
  slug: flowSlug
    .optional()
    .register(docs, doc('Another slug for the flow, where its own is taken by now', 'handbook-2')),
})

export const deletionQuery = z.object({
  now: z
    .stringbool()
    .optional()
    .register(docs, doc('true removes the flow for good, also one that was deleted before', 'true')),
})
