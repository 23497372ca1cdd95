import { z } from 'zod'
import { droppedCount, droppedRow } from './dropped.ts'
import { chatId, count, jsonObject } from './json.ts'
import { order, pageOf, pageQuery } from './paging.ts'

/** The pins whose documents are meant, for callers without pins: `tenant=acme`, several by repetition. */
const pin = z.union([z.string(), z.array(z.string())]).optional()

/** The newest version of a document, or an earlier one. */
const version = z.union([z.literal('newest'), z.iso.datetime()])

export const SOURCE_SORTS = ['name', 'updated', 'chunks', 'size'] as const

export const sourceListQuery = pageQuery.extend({
  search: z.string().min(1).max(200).optional(),
  sort: z.enum(SOURCE_SORTS).default('name'),
  order: order.default('ASC'),
  removed: z.stringbool().optional(),
  stopNodeId: z.string().optional(),
  pin,
  chatId: chatId.optional(),
})

export const sourceShape = z.object({
  source: z.string(),
  chunks: count,
  outdated: count,
  updatedAt: z.string(),
  bytes: count.nullable(),
  characters: count.nullable(),
  job: z.string().nullable(),
  originalType: z.string().nullable(),
  changedSettings: z.array(z.string()),
  dropped: z.array(droppedCount).nullable(),
  restorableUntil: z.string().optional(),
})
export const sourcePage = pageOf(sourceShape)
export type SourceAnswer = z.output<typeof sourceShape>

export const chunkListQuery = pageQuery.extend({
  source: z.string().optional(),
  version: version.optional(),
  search: z.string().min(1).max(200).optional(),
  around: z.string().optional(),
  at: z.coerce.number().int().min(0).optional(),
  stopNodeId: z.string().optional(),
  pin,
  chatId: chatId.optional(),
})

/** The most code units of a part of an extracted text. */
export const MOST_TEXT = 1_000_000

export const sourceTextQuery = z.object({
  source: z.string(),
  start: z.coerce.number().int().min(0).default(0),
  length: z.coerce.number().int().min(1).max(MOST_TEXT).default(65_536),
  version: version.default('newest'),
  stopNodeId: z.string().optional(),
  pin,
  chatId: chatId.optional(),
})
/** What is left of an earlier version of a document. */
const earlierVersion = z.object({ version: z.string(), chunks: count })
export type EarlierVersionAnswer = z.output<typeof earlierVersion>

export const sourceText = z.object({
  source: z.string(),
  text: z.string(),
  start: count,
  total: count,
  earlier: z.array(earlierVersion),
  dropped: z.array(droppedRow).nullable(),
})
export type SourceTextAnswer = z.output<typeof sourceText>

export const originalQuery = z.object({
  source: z.string(),
  stopNodeId: z.string().optional(),
  pin,
  chatId: chatId.optional(),
})

/** A chunk as it is stored. */
export const storedChunk = z.object({
  id: z.string(),
  source: z.string(),
  pageContent: z.string(),
  metadata: jsonObject,
  range: z.object({ start: count, end: count }).nullable(),
  outdatedAt: z.string().nullable(),
  pageNumber: z.number().nullable(),
  tokens: count,
})
export type ListedChunkAnswer = z.output<typeof storedChunk>
export const chunkPage = pageOf(storedChunk).extend({ offset: count })
export type ListedChunkPage = z.output<typeof chunkPage>

export const fieldListQuery = z.object({ stopNodeId: z.string().optional(), pin })

/** A field of metadata by its dotted path, as filters name it. */
const metadataField = z.object({
  field: z.string(),
  types: z.array(z.enum(['text', 'number', 'boolean', 'list'])),
  chunks: count,
  values: z.array(z.union([z.string(), z.number(), z.boolean()])),
})
export const fieldList = z.object({ data: z.array(metadataField), sampled: count, total: count })
export type FieldAnswer = z.output<typeof metadataField>

export const chunkRemovalQuery = z.looseObject({
  source: z.string().optional(),
  /** JSON. */
  filter: z.string().optional(),
  permanent: z.stringbool().optional(),
  stopNodeId: z.string().optional(),
  pin,
  chatId: chatId.optional(),
})

export const chunkRemovalBody = z.looseObject({
  source: z.string().nullish(),
  /** Several at once, removed in one transaction. */
  sources: z.array(z.string()).max(10_000).nullish(),
  filter: jsonObject.nullish(),
  permanent: z.boolean().nullish(),
  stopNodeId: z.string().nullish(),
  chatId: chatId.nullish(),
})

export const chunkRemoval = z.object({ numDeleted: z.number(), restorableUntil: z.string().nullable() })
export type ChunkRemovalAnswer = z.output<typeof chunkRemoval>

export const sourceRestoreBody = z.object({
  sources: z.array(z.string()).min(1).max(10_000),
  stopNodeId: z.string().nullish(),
})
export const sourceRestoreQuery = z.object({ pin })
export const sourceRestore = z.object({ sources: z.array(z.string()), numRestored: z.number() })
export type SourceRestoreAnswer = z.output<typeof sourceRestore>
