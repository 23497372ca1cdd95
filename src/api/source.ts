import { z } from 'zod'
import { common, doc, docs, EXAMPLE_ID, EXAMPLE_MOMENT } from './doc.ts'
import { droppedCount, droppedRow } from './dropped.ts'
import { chatId, count, jsonObject } from './json.ts'
import { order, pageOf, pageQuery } from './paging.ts'
import { pin } from './pin.ts'

/** The newest version of a document, or an earlier one. */
const version = z.union([z.literal('newest'), z.iso.datetime()])

export const SOURCE_SORTS = ['name', 'updated', 'chunks', 'size'] as const

export const sourceListQuery = pageQuery.extend({
  search: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .register(docs, doc('Only documents with this in their names; each letter in either case', 'notice')),
  sort: z
    .enum(SOURCE_SORTS)
    .default('name')
    .register(docs, doc('The order: by name, updated (time of the last change), chunks or size', 'name')),
  order: order
    .default('ASC')
    .register(docs, doc('ASC: the smallest or oldest first; DESC: the reverse', 'DESC')),
  removed: z
    .stringbool()
    .optional()
    .register(
      docs,
      doc('true: lists removed documents that can be restored, instead of those that queries find', 'false'),
    ),
  stopNodeId: z.string().optional().register(docs, common.storeNode),
  pin,
  chatId: chatId
    .optional()
    .register(
      docs,
      doc('Only documents of this conversation; without it, those that belong to none', 'chat-1'),
    ),
})

export const sourceShape = z.object({
  source: z.string().register(docs, common.source),
  chunks: count.meta(doc('The number of chunks of the document', 12)),
  outdated: count.meta(doc('How many of them are of earlier versions of the document, and still found', 0)),
  updatedAt: z
    .string()
    .register(docs, doc('When the document last changed, ISO 8601 in UTC', EXAMPLE_MOMENT)),
  bytes: count
    .nullable()
    .register(docs, doc('The size of the file in bytes; null if the document is not a file', 18_240)),
  characters: count
    .nullable()
    .register(
      docs,
      doc('The length of the extracted text in UTF-16 code units; null if it is not known', 12_400),
    ),
  job: z
    .string()
    .nullable()
    .register(docs, doc('The id of the last job that read the document; null if there was none', EXAMPLE_ID)),
  originalType: z
    .string()
    .nullable()
    .register(docs, doc('The type of the kept file: pdf, docx, html, …; null if none is kept', 'pdf')),
  changedSettings: z
    .array(z.string())
    .register(
      docs,
      doc(
        'Settings of the flow that differ from those with which the document was loaded, a line each; a refresh loads it again',
        ['Chunk Size 1000 → 600'],
      ),
    ),
  dropped: z
    .array(droppedCount)
    .nullable()
    .register(
      docs,
      doc(
        'How much of each kind was left out of the text of the document; null where it is not known: of documents that an earlier release loaded',
        [{ kind: 'hiddenSheet', count: 1, text: '1 hidden sheet' }],
      ),
    ),
  restorableUntil: z
    .string()
    .optional()
    .register(
      docs,
      doc('Of a removed document: until when it can be restored, ISO 8601 in UTC', EXAMPLE_MOMENT),
    ),
})
export const sourcePage = pageOf(sourceShape)
export type SourceAnswer = z.output<typeof sourceShape>

export const chunkListQuery = pageQuery.extend({
  source: z.string().optional().register(docs, doc('Only chunks of this document', 'handbook.pdf')),
  version: version
    .optional()
    .register(
      docs,
      doc(
        'Only chunks of this version of the document: newest, or one that earlier names. Without it, those of all versions',
        'newest',
      ),
    ),
  search: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .register(docs, doc('Only chunks with this in their texts; each letter in either case', 'notice')),
  around: z
    .string()
    .optional()
    .register(
      docs,
      doc(
        'The id of a chunk of the source: the answer is the page that has it',
        '0b2ae1f6-6d4b-5d8a-9c1e-3f1d2c4b5a69',
      ),
    ),
  at: z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .register(
      docs,
      doc(
        'A position in the text of the source: the answer is the page with the first chunk that ends behind it, or the last page',
        1840,
      ),
    ),
  stopNodeId: z.string().optional().register(docs, common.storeNode),
  pin,
  chatId: chatId
    .optional()
    .register(
      docs,
      doc(
        'Only chunks of the files of this conversation; without it, of those that belong to none',
        'chat-1',
      ),
    ),
})

/** The most code units of a part of an extracted text. */
export const MOST_TEXT = 1_000_000

export const sourceTextQuery = z.object({
  source: z.string().register(docs, common.source),
  start: z.coerce
    .number()
    .int()
    .min(0)
    .default(0)
    .register(docs, doc('The position of the first code unit of the part', 0)),
  length: z.coerce
    .number()
    .int()
    .min(1)
    .max(MOST_TEXT)
    .default(65_536)
    .register(docs, doc('How many UTF-16 code units to answer, at most 1,000,000', 65_536)),
  version: version
    .default('newest')
    .register(docs, doc('The version of the document: newest, or one that earlier names', 'newest')),
  stopNodeId: z.string().optional().register(docs, common.storeNode),
  pin,
  chatId: chatId.optional().register(docs, doc('The conversation of which the document is a file', 'chat-1')),
})
/** What is left of an earlier version of a document. */
const earlierVersion = z.object({
  version: z
    .string()
    .register(
      docs,
      doc('The name of the version: until when it was the newest, ISO 8601 in UTC', EXAMPLE_MOMENT),
    ),
  chunks: count.meta(doc('How many chunks of it are left', 12)),
})
export type EarlierVersionAnswer = z.output<typeof earlierVersion>

export const sourceText = z.object({
  source: z.string().register(docs, common.source),
  text: z
    .string()
    .register(
      docs,
      doc(
        'A part of the extracted text of the document; what no chunk has is blank, unless the load has told it (trace)',
        'The notice period is four weeks.',
      ),
    ),
  start: count.meta(doc('The position of the first code unit of the part', 0)),
  total: count.meta(doc('The length of the whole text in UTF-16 code units', 12_400)),
  earlier: z
    .array(earlierVersion)
    .register(
      docs,
      doc(
        'The earlier versions of which chunks are left, the newest first: text and chunks that a later upsert did not remove',
        [],
      ),
    ),
  dropped: z
    .array(droppedRow)
    .nullable()
    .register(
      docs,
      doc(
        'What was left out of the text, with its place; null where it is not known: of earlier versions, and of documents that an earlier release loaded',
        [{ kind: 'hiddenSheet', count: 1, text: 'sheet Budget is hidden' }],
      ),
    ),
})
export type SourceTextAnswer = z.output<typeof sourceText>

export const originalQuery = z.object({
  source: z.string().register(docs, common.source),
  stopNodeId: z.string().optional().register(docs, common.storeNode),
  pin,
  chatId: chatId.optional().register(docs, doc('The conversation of which the document is a file', 'chat-1')),
})

/** A chunk as it is stored. */
export const storedChunk = z.object({
  id: z.string().register(docs, doc('The id of the chunk, a UUID', '0b2ae1f6-6d4b-5d8a-9c1e-3f1d2c4b5a69')),
  source: z.string().register(docs, common.source),
  pageContent: z.string().register(docs, common.chunkText),
  metadata: jsonObject.meta(doc('The metadata of the chunk', { source: 'handbook.pdf' })),
  range: z
    .object({
      start: count.meta(doc('The position of the first code unit', 0)),
      end: count.meta(doc('The position after the last code unit', 32)),
    })
    .nullable()
    .register(
      docs,
      doc(
        'Where the words of the chunk are in the extracted text of its document, in UTF-16 code units: from start to before end. null where it is not known: with a sourceIdKey of the record manager',
        { start: 0, end: 32 },
      ),
    ),
  outdatedAt: z
    .string()
    .nullable()
    .register(
      docs,
      doc(
        'Since when the document has a newer version without this chunk, ISO 8601 in UTC; null for a chunk of the newest version',
        null,
      ),
    ),
  pageNumber: z
    .number()
    .nullable()
    .register(docs, doc('The page of the chunk, from 1; null for formats without pages', 3)),
  tokens: count.meta(common.tokens),
})
export type ListedChunkAnswer = z.output<typeof storedChunk>
export const chunkPage = pageOf(storedChunk).extend({
  offset: count.meta(doc('How many chunks are before the page', 0)),
})
export type ListedChunkPage = z.output<typeof chunkPage>

export const fieldListQuery = z.object({
  stopNodeId: z.string().optional().register(docs, common.storeNode),
  pin,
})

/** A field of metadata by its dotted path, as filters name it. */
const metadataField = z.object({
  field: z.string().register(docs, doc('The path of the field, as filters name it', 'loc.pageNumber')),
  types: z
    .array(z.enum(['text', 'number', 'boolean', 'list']))
    .register(docs, doc('The types of its values, the most frequent first', ['number'])),
  chunks: count.meta(doc('How many of these chunks have the field', 12)),
  values: z
    .array(z.union([z.string(), z.number(), z.boolean()]))
    .register(docs, doc('Some of its values, the most frequent first', [1, 2])),
})
export const fieldList = z.object({
  data: z.array(metadataField).register(docs, doc('The fields', [])),
  sampled: count.meta(doc('The number of chunks that were looked at', 1000)),
  total: count.meta(doc('The number of chunks of the store', 1000)),
})
export type FieldAnswer = z.output<typeof metadataField>
