import { z } from 'zod'
import { common, doc, docs } from './doc.ts'
import { savedFlow } from './flow.ts'
import { flowProblem } from './flow-problem.ts'
import { count, jsonObject, moment } from './json.ts'
import { settingChange } from './setting-change.ts'

/** A drawing that is stored and not live. */
const draftShape = z.object({
  number: z
    .number()
    .int()
    .register(docs, doc('The number of the draft, which is also the ETag: each save has another one', 2)),
  base: z.number().int().register(docs, doc('The revision of the flow of which it was made', 3)),
  savedAt: moment.meta(doc('When it was saved, ISO 8601 in UTC', '2026-11-27T09:30:00.000Z')),
  savedBy: z
    .string()
    .register(docs, doc('The name of the key that saved it, ADMIN_KEY, or studio session', 'studio session')),
  stale: z
    .boolean()
    .register(
      docs,
      doc(
        'Whether the live drawing was changed since its base: then it has to be merged before it is published',
      ),
    ),
  flowData: z
    .string()
    .register(docs, doc('Its graph, nodes and edges, as JSON text', '{"nodes":[],"edges":[]}')),
})

/** What of a flow is not live. */
export const draftState = z.object({
  flow: z.string().register(docs, common.slug),
  revision: z.number().int().register(docs, doc('The number of the live revision of the flow', 3)),
  byDefault: z
    .boolean()
    .register(docs, doc('Whether a save of the studio makes a draft, by the setting STUDIO_DRAFTS')),
  draft: draftShape.nullable().register(docs, doc('The draft; null where the flow has none', null)),
  changes: z
    .array(settingChange)
    .register(docs, doc('What the draft does otherwise than the live drawing, at most 200 changes', [])),
  summary: z
    .string()
    .register(
      docs,
      doc('These changes in one line, for people; empty where there are none', 'Chunk Size 1000 → 600'),
    ),
})
export type DraftStateAnswer = z.output<typeof draftState>

/** The state after a save, and what keeps the draft from being published. */
export const savedDraft = draftState.extend({
  problems: z
    .array(flowProblem)
    .register(docs, doc('What would be refused if the draft were live, each with its place', [])),
  warning: z
    .string()
    .nullable()
    .register(
      docs,
      doc('One sentence about what keeps the draft from being published; null if nothing does', null),
    ),
})
export type SavedDraftAnswer = z.output<typeof savedDraft>

export const draftBody = z.looseObject({
  flowData: z.union([z.string(), jsonObject]).register(docs, common.graph),
  base: count
    .nullish()
    .register(
      docs,
      doc(
        'The revision of the flow of which the drawing was made; that of the draft before unless given, else the live one',
        3,
      ),
    ),
})

/** A flow whose draft is live now. */
export const publishedFlow = savedFlow.extend({
  running: z
    .array(
      z.object({
        id: z.string().register(docs, common.jobId),
        kind: z.string().register(docs, doc('What the job does', 'upsert')),
      }),
    )
    .register(
      docs,
      doc('Jobs of the flow that began before: they go on with the drawing that was live then', []),
    ),
  note: z
    .string()
    .nullable()
    .register(docs, doc('The same in one sentence; null where there is no such job', null)),
})
export type PublishedFlowAnswer = z.output<typeof publishedFlow>

export const draftHeader = z.object({
  'If-Match': z
    .string()
    .optional()
    .register(
      docs,
      doc(
        'The number of the draft that the request is based on, "0" for none; 412 if it was saved meanwhile',
        '"2"',
      ),
    ),
})
