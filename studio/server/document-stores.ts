import type { DocumentStoreAnswer, StoreLoaderAnswer } from '../../src/api/document-store.ts'
import type { ChunkEditAnswer, StoreChunkPage } from '../../src/api/document-store-chunk.ts'
import { addressOf, call } from './call.ts'
import { sendForm } from './upserts.ts'

export type DocumentStore = DocumentStoreAnswer
export type StoreLoader = StoreLoaderAnswer

/** What people write about a store. */
export type DocumentStoreWords = Pick<DocumentStore, 'name' | 'description'>

const STORES = '/api/v1/document-store/store'
const one = (id: string) => `${STORES}/${encodeURIComponent(id)}`

export const listDocumentStores = (): Promise<DocumentStore[]> => call(STORES)

/** @param id the id or the slug of the store */
export const getDocumentStore = (id: string): Promise<DocumentStore> => call(one(id))

export const createDocumentStore = (body: DocumentStoreWords): Promise<DocumentStore> =>
  call(STORES, { method: 'POST', body })

/** @throws ServerFailure 412 where the store was saved since `revision` */
export const changeDocumentStore = (
  { id, revision }: Pick<DocumentStore, 'id' | 'revision'>,
  body: DocumentStoreWords,
): Promise<DocumentStore> => call(one(id), { method: 'PUT', body, revision })

/** Deletes a store with its chunks; as a flow it can be restored for thirty days. */
export const deleteDocumentStore = (id: string): Promise<unknown> => call(one(id), { method: 'DELETE' })

const of = (what: string, store: string) => `/api/v1/document-store/${what}/${encodeURIComponent(store)}`

export type NewLoaderRequest = {
  storeId: string
  /** The name of the loader for people. */
  name: string
  files: readonly { file: File; path: string }[]
  signal: AbortSignal
  /** The part of the files that has been sent, from 0 to 1. */
  onSent(part: number): void
}

/** Adds a loader with files to a store, starts to load them, and gives the id of the job. */
export function addLoader({ storeId, name, files, signal, onSent }: NewLoaderRequest): Promise<string> {
  const form = new FormData()
  form.append('loaderName', name)
  for (const { file, path } of files) form.append('files', file, path)
  return sendForm(addressOf(of('upsert', storeId), { async: true }), form, signal, onSent)
}

/** Starts to load again with one loader. */
export const processLoader = (storeId: string, loaderId: string): Promise<unknown> =>
  call(of('loader/process', loaderId), { method: 'POST', body: { storeId }, query: { async: true } })

/** Starts to load again with all loaders of a store, a job each. */
export const refreshDocumentStore = (storeId: string): Promise<unknown> =>
  call(of('refresh', storeId), { method: 'POST', body: {}, query: { async: true } })

/** Deletes a loader with its documents, which can be restored. */
export const deleteLoader = (storeId: string, loaderId: string): Promise<DocumentStore> =>
  call(`${of('loader', storeId)}/${encodeURIComponent(loaderId)}`, { method: 'DELETE' })

export type StoreChunk = StoreChunkPage['chunks'][number]
export type ChunkEdit = ChunkEditAnswer

/** How many chunks a page has. */
export const STORE_CHUNKS_PER_PAGE = 50

const chunkOf = (storeId: string, loaderId: string, last: string | number) =>
  `${of('chunks', storeId)}/${encodeURIComponent(loaderId)}/${encodeURIComponent(last)}`

/** The chunks of a loader, or of `all`. @param page from 1 */
export const listStoreChunks = (storeId: string, loaderId: string, page: number): Promise<StoreChunkPage> =>
  call(chunkOf(storeId, loaderId, page))

/** Changes the text of a chunk; it stays so when its document is loaded again. */
export const changeStoreChunk = (
  { storeId, docId, id }: StoreChunk,
  pageContent: string,
): Promise<StoreChunkPage> => call(chunkOf(storeId, docId, id), { method: 'PUT', body: { pageContent } })

/** Deletes a chunk; it does not come back when its document is loaded again. */
export const deleteStoreChunk = ({ storeId, docId, id }: StoreChunk): Promise<StoreChunkPage> =>
  call(chunkOf(storeId, docId, id), { method: 'DELETE' })

/** The edits of chunks of a store, the newest last. */
export const listChunkEdits = (storeId: string): Promise<ChunkEdit[]> => call(of('edits', storeId))

/** Removes an edit: the text of the document comes back when it is loaded again. */
export const removeChunkEdit = (storeId: string, editId: string): Promise<unknown> =>
  call(`${of('edits', storeId)}/${encodeURIComponent(editId)}`, { method: 'DELETE' })
