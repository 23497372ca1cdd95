import type { z } from 'zod'
import {
  documentStore,
  loaderBody,
  loaderParams,
  loaderPreview,
  loaderPreviewBody,
  processBody,
  processParams,
  storeLoader,
} from '../../api/document-store.ts'
import { storeChunkPage } from '../../api/document-store-chunk.ts'
import { ifMatchHeader } from '../../api/flow-revision.ts'
import { asyncQuery, jobHeaders } from '../../api/job-request.ts'
import type { FlowRow } from '../../contract/flow-store.ts'
import {
  newStoreDrawing,
  putLoader,
  removeLoader,
  type EditedDrawing,
} from '../../flow/document-stores/edit-drawing.ts'
import { newStoreConfig } from '../../flow/document-stores/mark.ts'
import { findLoader, readStoreDrawing } from '../../flow/document-stores/read-store.ts'
import { flowSource } from '../../flow/find-flow.ts'
import { SluiceError } from '../../kit/errors.ts'
import { randomId } from '../../kit/hash.ts'
import type { Json } from '../../kit/json.ts'
import { editedStore, saveStore, wantedPart } from '../document-stores/change-store.ts'
import { findDocumentStore } from '../document-stores/find-store.ts'
import { presentChunkPage } from '../document-stores/present-chunks.ts'
import { presentStore } from '../document-stores/present-store.ts'
import { removeLoaded } from '../document-stores/remove-loaded.ts'
import { storeFormBody } from '../document-stores/store-form.ts'
import { idempotencyOf } from '../../jobs/submit.ts'
import { acceptedAnswer, answerJob, prefersAsync, resultUnlessStalled } from '../job-answer.ts'
import { MANAGEMENT } from '../management.ts'
import type { Platform } from '../platform.ts'
import { readShape } from '../read-shape.ts'
import { isForm, type Route, route } from '../route.ts'
import type { Upload } from '../uploads.ts'
import { isManager } from './document-stores.ts'
import { receiveForm } from './upsert.ts'

type LoaderBody = z.output<typeof loaderBody>
type PreviewBody = z.output<typeof loaderPreviewBody>

/** How many chunks a preview has unless the request says, and the most. */
const PREVIEWED = { usual: 20, most: 1000 }

const MANAGER_SEES = { manager: true, fence: undefined } as const

/** Puts the loader of a body into a drawing. */
function putBody(
  platform: Platform,
  drawing: EditedDrawing,
  id: string,
  body: LoaderBody | PreviewBody,
): void {
  const { loaderId, loaderName, loaderConfig, splitterId, splitterConfig, credential } = body
  putLoader(drawing, platform.catalog, id, {
    label: loaderName ?? undefined,
    loader: wantedPart(
      loaderId || loaderConfig ? { name: loaderId, config: loaderConfig } : null,
      credential,
    ),
    ...(splitterId === ''
      ? { splitter: null }
      : {
          splitter: wantedPart(
            splitterId || splitterConfig ? { name: splitterId, config: splitterConfig } : null,
          ),
        }),
    ...(metadataIn(loaderConfig) ?? {}),
  })
}

/** The metadata of a loader are replaced as a whole. */
function metadataIn(config: LoaderBody['loaderConfig']) {
  const metadata = config?.metadata
  return typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata)
    ? { metadata }
    : undefined
}

/** The loaders of document stores. */
export function documentStoreLoaderRoutes(platform: Platform): Route[] {
  const { flows, catalog, upserts, jobs } = platform

  async function preview(body: PreviewBody, signal: AbortSignal, upload?: Upload) {
    const stored = body.storeId ? await findDocumentStore(flows, body.storeId) : undefined
    const id = body.id || randomId()
    const isKnown = stored && readStoreDrawing(stored.flowData, catalog).loaders.some((one) => one.id === id)
    const base: Pick<FlowRow, 'flowData'> = stored ?? { flowData: JSON.stringify(newStoreDrawing(catalog)) }
    const { flowData } = editedStore({ updatedAt: 0, ...base } as FlowRow, (drawing) =>
      putBody(platform, drawing, id, body),
    )
    // A new loader is tried out in a namespace of its own: its chunks are compared with none.
    const source = {
      id: isKnown ? stored.id : randomId(),
      flowData,
      apiConfig: newStoreConfig({ description: '' }),
    }
    const uploads = upload?.files.length ? upload.files : undefined
    const {
      sourceDocuments = [],
      totalKeys,
      warnings,
    } = await upserts.preview(source, { uploads, loader: id }, signal)
    const wanted = body.previewChunkCount ?? PREVIEWED.usual
    const chunks = sourceDocuments.slice(0, wanted < 0 ? PREVIEWED.most : wanted)
    return { chunks, totalChunks: totalKeys, previewChunkCount: chunks.length, warnings }
  }

  return [
    route({
      ...MANAGEMENT,
      method: 'POST',
      url: '/api/v1/document-store/loader/preview',
      summary:
        'Show the chunks that a loader would make, of its documents or of sent files; nothing is stored',
      accepts: ['multipart/form-data', 'application/json'],
      body: loaderPreviewBody,
      bodyMegabytes: 50,
      answer: { description: 'The first chunks', shape: loaderPreview },
      async handle({ body, request, clientGone, admitAgain }) {
        if (!isForm(request)) return preview(body, clientGone())
        const upload = await receiveForm(platform, request)
        try {
          await admitAgain()
          const read = readShape('body_invalid', loaderPreviewBody, storeFormBody(upload.fields))
          return await preview(read, clientGone(), upload)
        } finally {
          await upload.remove()
        }
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'POST',
      url: '/api/v1/document-store/loader/save',
      summary: 'Add a loader to a document store, or change one; it loads when it is processed',
      headers: ifMatchHeader,
      body: loaderBody,
      bodyMegabytes: 50,
      answer: { description: 'The loader', shape: storeLoader },
      async handle({ body, request, reply }) {
        const store = await findDocumentStore(flows, body.storeId)
        const id = body.id || randomId()
        if (body.id) findLoader(readStoreDrawing(store.flowData, catalog), body.id, store.slug)
        const saved = await saveStore(platform, { id: store.id, request, reply }, (drawing) =>
          putBody(platform, drawing, id, body),
        )
        const { loaders } = await presentStore(platform, saved, MANAGER_SEES)
        return loaders.find((one) => one.id === id)!
      },
    }),
    route({
      method: 'POST',
      url: '/api/v1/document-store/loader/process/:loaderId',
      summary:
        'Load what a loader finds and the files that are kept of it; wait for its chunks, or get a job',
      tag: 'vectors',
      access: { flow: 'upsert', by: 'body' },
      params: processParams,
      query: asyncQuery,
      body: processBody,
      headers: jobHeaders,
      answer: { description: 'The first chunks of the loader', shape: storeChunkPage },
      also: [acceptedAnswer],
      async handle({ params: { loaderId }, body, query, request, reply, enter, caller, owner, fence }) {
        const flow = await enter(body.storeId)
        findLoader(readStoreDrawing(flow.flowData, catalog), loaderId, flow.slug)
        const submitted = await jobs.submit({
          ...upserts.prepareRefresh(flowSource(flow), { loader: loaderId, fence: await fence() }),
          kind: 'upsert',
          flowId: flow.id,
          owner: await owner(),
          idempotency: await idempotencyOf(request, {
            ...{ flowId: flow.id, caller, content: ['process', loaderId, body as Json] },
          }),
        })
        if (query.async ?? prefersAsync(request.headers))
          return answerJob(platform, submitted, { request, reply, async: true })
        await resultUnlessStalled(platform, submitted.job)
        const page = { loaderId, page: 1, manager: await isManager({ caller }), fence: await fence() }
        return presentChunkPage(platform, flow, page)
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'DELETE',
      url: '/api/v1/document-store/loader/:id/:loaderId',
      summary: 'Delete a loader with its documents, which can be restored',
      params: loaderParams,
      headers: ifMatchHeader,
      answer: { description: 'The document store', shape: documentStore },
      async handle({ params: { id, loaderId }, request, reply }) {
        const flow = await findDocumentStore(flows, id)
        findLoader(readStoreDrawing(flow.flowData, catalog), loaderId, flow.slug)
        await removeDocuments(flow, loaderId)
        const saved = await saveStore(platform, { id: flow.id, request, reply }, (drawing) =>
          removeLoader(drawing, catalog, loaderId),
        )
        return presentStore(platform, saved, MANAGER_SEES)
      },
    }),
  ]

  async function removeDocuments(flow: FlowRow, loaderId: string): Promise<void> {
    try {
      await removeLoaded(platform, flow, loaderId)
    } catch (error) {
      // A store that cannot be opened has nothing that could be removed now: its loader can still be deleted.
      if (!(error instanceof SluiceError) || error.status >= 500) throw error
    }
  }
}
