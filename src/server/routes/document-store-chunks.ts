import {
  chunkChangeBody,
  chunkEditList,
  chunkEditParams,
  chunkPageParams,
  chunkParams,
  storeChunkPage,
} from '../../api/document-store-chunk.ts'
import { flowParams } from '../../api/params.ts'
import { removalShape } from '../../api/removal.ts'
import type { FlowRow } from '../../contract/flow-store.ts'
import { originalSourceName } from '../../documents/conversation.ts'
import { textOfPassage } from '../../documents/passage.ts'
import { findLoader, readStoreDrawing } from '../../flow/document-stores/read-store.ts'
import { flowSource } from '../../flow/find-flow.ts'
import { planRetrieval } from '../../flow/plan-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { JsonObject } from '../../kit/json.ts'
import { sourcesOfLoader } from '../../upsert/loader-sources.ts'
import { presentChunkPage } from '../document-stores/present-chunks.ts'
import { isoTime, removedRows } from '../management.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'
import { unlessStalled } from '../job-answer.ts'
import { isManager } from './document-stores.ts'

const page = { description: 'The first page of chunks of the loader', shape: storeChunkPage }

/** The chunks of document stores: listed, changed, deleted. */
export function documentStoreChunkRoutes(platform: Platform): Route[] {
  const { catalog, nodeServices, chunkEdits, engine } = platform

  const storeOf = (flow: FlowRow) =>
    planRetrieval({ catalog, nodeServices }, flowSource(flow), { overrides: {} }).part

  /** @param text null deletes the chunk */
  async function edit(
    flow: FlowRow,
    { loaderId, chunkId }: { loaderId: string; chunkId: string },
    text: string | null,
    metadata?: JsonObject,
  ): Promise<void> {
    findLoader(readStoreDrawing(flow.flowData, catalog), loaderId, flow.slug)
    const { store, embedder } = storeOf(flow)
    for (const source of await sourcesOfLoader(store, flow.id, loaderId)) {
      if (!(await store.chunk({ source, chunk: chunkId }))) continue
      const work = { store, embedder, flow, source, chunk: chunkId, text, metadata }
      return unlessStalled(platform, store.namespace, (signal) => engine.edit(work, chunkEdits, signal))
    }
    throw new SluiceError('chunk_not_found', { store: flow.slug, chunk: chunkId })
  }

  return [
    route({
      method: 'GET',
      url: '/api/v1/document-store/chunks/:flowId/:loaderId/:page',
      summary: 'The chunks of a loader of a document store, or of all, 50 on a page',
      tag: 'vectors',
      access: { flow: 'query', or: 'upsert' },
      params: chunkPageParams,
      answer: { description: 'The page', shape: storeChunkPage },
      async handle({ flow, params: { loaderId, page: number }, caller, fence }) {
        const how = { loaderId, page: number, manager: await isManager({ caller }), fence: await fence() }
        return presentChunkPage(platform, flow, how)
      },
    }),
    route({
      method: 'PUT',
      url: '/api/v1/document-store/chunks/:flowId/:loaderId/:chunkId',
      summary:
        'Change the text of a chunk: it is embedded again, and stays when its document is loaded again',
      tag: 'vectors',
      access: { flow: 'upsert' },
      params: chunkParams,
      body: chunkChangeBody,
      answer: page,
      async handle({ flow, params, body, caller }) {
        await edit(flow, params, body.pageContent, body.metadata ?? undefined)
        const how = {
          loaderId: params.loaderId,
          page: 1,
          manager: await isManager({ caller }),
          fence: undefined,
        }
        return presentChunkPage(platform, flow, how)
      },
    }),
    route({
      method: 'DELETE',
      url: '/api/v1/document-store/chunks/:flowId/:loaderId/:chunkId',
      summary: 'Delete a chunk: it does not come back when its document is loaded again',
      tag: 'vectors',
      access: { flow: 'upsert' },
      params: chunkParams,
      answer: page,
      async handle({ flow, params, caller }) {
        await edit(flow, params, null)
        const how = {
          loaderId: params.loaderId,
          page: 1,
          manager: await isManager({ caller }),
          fence: undefined,
        }
        return presentChunkPage(platform, flow, how)
      },
    }),
    route({
      method: 'GET',
      url: '/api/v1/document-store/edits/:flowId',
      summary: 'The changed and deleted chunks of a document store, also those that are kept aside',
      tag: 'vectors',
      access: { flow: 'upsert' },
      params: flowParams,
      answer: { description: 'The edits, the newest last', shape: chunkEditList },
      async handle({ flow }) {
        const edits = await chunkEdits.list(storeOf(flow).store.namespace)
        return edits.map((one) => ({
          id: one.id,
          source: originalSourceName(one.source),
          original: textOfPassage(one.original),
          pageContent: one.content,
          metadata: one.metadata === null ? null : (JSON.parse(one.metadata) as JsonObject),
          editedAt: isoTime(one.editedAt),
          setAside: one.asideAt !== null,
        }))
      },
    }),
    route({
      method: 'DELETE',
      url: '/api/v1/document-store/edits/:flowId/:editId',
      summary: 'Remove an edit of a chunk: the text of the document comes back when it is loaded again',
      tag: 'vectors',
      access: { flow: 'upsert' },
      params: chunkEditParams,
      answer: { description: 'The number of removed edits', shape: removalShape },
      async handle({ flow, params: { editId } }) {
        if (!(await chunkEdits.remove(storeOf(flow).store.namespace, editId)))
          throw new SluiceError('chunk_edit_not_found', { store: flow.slug, edit: editId })
        return removedRows(1)
      },
    }),
  ]
}
