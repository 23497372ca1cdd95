import { z } from 'zod'
import { droppedCount } from './dropped.ts'
import { chatId, count, jsonObject, warning } from './json.ts'
import { document } from './prediction.ts'

export const upsertBody = z.looseObject({
  overrideConfig: jsonObject.nullish(),
  stopNodeId: z.string().nullish(),
  chatId: chatId.nullish(),
})

/** A dry run; `flowData` is a drawing that is used instead of the stored one. */
export const dryRunBody = upsertBody.extend({ flowData: z.union([z.string(), jsonObject]).nullish() })

/** The result of an upsert for one file. */
const fileOutcome = z.object({
  name: z.string(),
  status: z.enum(['indexed', 'unchanged', 'empty', 'failed']),
  chunks: count,
  added: count,
  updated: count,
  skipped: count,
  deleted: count,
  outdated: count.optional(),
  dropped: z.array(droppedCount).optional(),
  code: z.string().optional(),
  message: z.string().optional(),
})

export const upsertShape = z.object({
  numAdded: count,
  numUpdated: count,
  numSkipped: count,
  numDeleted: count,
  totalKeys: count,
  numOutdated: count.optional(),
  numFailed: count,
  numEmpty: count,
  files: z.array(fileOutcome),
  warnings: z.array(warning),
  addedDocs: z.array(document),
  sourceDocuments: z.array(document).optional(),
  sourceDocumentsTruncated: z.boolean().optional(),
  dryRun: z.boolean().optional(),
  filesNeeded: z.object({ count, names: z.array(z.string()) }).optional(),
  estimate: z.object({ texts: count, tokens: count }).optional(),
  jobId: z.string().optional(),
  timeTaken: z.number(),
})

/** The fields that a client can rely on with any server: Flowise answers only the counters. */
export const upsertCounters = upsertShape.partial().required({ numAdded: true })
export type UpsertAnswer = z.output<typeof upsertCounters>
export type FileAnswer = z.output<typeof fileOutcome>

export const reindexBody = z.looseObject({
  overrideConfig: jsonObject.nullish(),
  stopNodeId: z.string().nullish(),
})

export const reindexShape = z.object({
  numChunks: count,
  numEmbedded: count,
  embedder: z.string(),
  dimensions: count.nullable(),
  warnings: z.array(warning),
  jobId: z.string(),
  timeTaken: z.number(),
})
export type ReindexAnswer = z.output<typeof reindexShape>
