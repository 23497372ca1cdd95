import { chunkPageParams, storeChunkPage } from '../../api/document-store.ts'
import { requireDocumentStore } from '../document-stores/find-store.ts'
import { presentChunkPage } from '../document-stores/present-chunks.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'
import { isManager } from './document-stores.ts'

/** The chunks of document stores. */
export function documentStoreChunkRoutes(platform: Platform): Route[] {
  return [
    route({
      method: 'GET',
      url: '/api/v1/document-store/chunks/:flowId/:loaderId/:page',
      summary: 'The chunks of a loader of a document store, or of all, 50 on a page',
      tag: 'vectors',
      access: { flow: 'query', or: 'upsert' },
      params: chunkPageParams,
      answer: { description: 'The page', shape: storeChunkPage },
      async handle({ flow, params: { loaderId, page }, caller, fence }) {
        requireDocumentStore(flow)
        const how = { loaderId, page, manager: await isManager({ caller }), fence: await fence() }
        return presentChunkPage(platform, flow, how)
      },
    }),
  ]
}
