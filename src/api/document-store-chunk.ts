import { z } from 'zod'
import { common, doc, docs, EXAMPLE_ID } from './doc.ts'
import { storeLoader, storeMeaning } from './document-store.ts'
import { count, jsonObject, moment } from './json.ts'

export const chunkPageParams = z.object({
  flowId: z.string().register(docs, storeMeaning.storeId),
  loaderId: z.string().register(docs, doc('The id of a loader, or all', EXAMPLE_ID)),
  page: z.coerce.number().int().min(1).register(docs, doc('The page, from 1; a page has 50 chunks', 1)),
})

export const storeChunk = z.object({
  id: z.string().register(docs, doc('The id of the chunk', EXAMPLE_ID)),
  docId: z.string().register(docs, storeMeaning.docId),
  storeId: z.string().register(docs, storeMeaning.storeId),
  source: z.string().register(docs, common.source),
  chunkNo: count.meta(doc('The number of the chunk in its document, from 1', 1)),
  pageContent: z.string().register(docs, common.chunkText),
  metadata: z.string().register(docs, doc('Metadata of the chunk as JSON text', '{"source":"handbook.pdf"}')),
  edited: z.string().nullable().register(docs, doc('The id of the edit that made it; null for none', null)),
})

export const storeChunkPage = z.object({
  chunks: z.array(storeChunk).register(docs, doc('The chunks of the page', [])),
  count: count.meta(doc('The number of chunks on all pages', 12)),
  file: storeLoader.optional().register(docs, doc('The loader; absent for all', {})),
  currentPage: count.meta(doc('The number of the page', 1)),
  storeName: z.string().register(docs, storeMeaning.storeName),
  description: z.string().register(docs, storeMeaning.description),
  docId: z.string().register(docs, doc('The loader, or all', EXAMPLE_ID)),
  characters: count.meta(storeMeaning.file),
})
export type StoreChunkPage = z.output<typeof storeChunkPage>

export const chunkParams = z.object({
  flowId: z.string().register(docs, storeMeaning.storeId),
  loaderId: z.string().register(docs, storeMeaning.docId),
  chunkId: z.string().register(docs, doc('The id of the chunk, as lists give it', EXAMPLE_ID)),
})

export const chunkChangeBody = z.looseObject({
  pageContent: z
    .string()
    .trim()
    .min(1)
    .max(1_000_000)
    .register(docs, doc('The new text of the chunk', 'The notice period is six weeks.')),
  metadata: jsonObject
    .nullish()
    .register(docs, doc('Its metadata as a whole; absent: as they are', { source: 'handbook.pdf' })),
})

export const chunkEditParams = z.object({
  flowId: z.string().register(docs, storeMeaning.storeId),
  editId: z.string().register(docs, doc('The id of the edit', EXAMPLE_ID)),
})

export const chunkEditList = z.array(
  z.object({
    id: z.string().register(docs, doc('The id of the edit', EXAMPLE_ID)),
    source: z.string().register(docs, common.source),
    original: z
      .string()
      .register(docs, doc('The text that the document had', 'The notice period is four weeks.')),
    pageContent: z
      .string()
      .nullable()
      .register(docs, doc('The text in its place; null where the chunk is deleted', 'Six weeks.')),
    metadata: jsonObject
      .nullable()
      .register(docs, doc('The metadata in their place; null for the same', null)),
    editedAt: moment.meta(doc('When it was made, ISO 8601 in UTC', '2026-11-27T09:30:00.000Z')),
    setAside: z
      .boolean()
      .register(docs, doc('Whether the document no longer has this text, so that the edit is not in effect')),
  }),
)
export type ChunkEditAnswer = z.output<typeof chunkEditList>[number]
