import type { DocumentStoreAnswer, StoreLoaderAnswer } from '../../src/api/document-store.ts'
import { call } from './call.ts'

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
