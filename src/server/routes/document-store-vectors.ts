import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import {
  documentStore,
  emptiedStore,
  emptyStoreParams,
  emptyStoreQuery,
  storeInsert,
  storePartsBody,
  storeQuery,
  storeQueryBody,
} from '../../api/document-store.ts'
import { ifMatchHeader } from '../../api/flow-revision.ts'
import { queryBody } from '../../api/query.ts'
import type { FlowRow } from '../../contract/flow-store.ts'
import { type EditedDrawing, putStorePart } from '../../flow/document-stores/edit-drawing.ts'
import { findLoader, readStoreDrawing } from '../../flow/document-stores/read-store.ts'
import { flowSource } from '../../flow/find-flow.ts'
import { planRetrieval } from '../../flow/plan-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { JsonObject } from '../../kit/json.ts'
import { ownerOfJobs } from '../caller.ts'
import { saveStore, wantedPart } from '../document-stores/change-store.ts'
import { findDocumentStore } from '../document-stores/find-store.ts'
import { chunkPlaceOf } from '../document-stores/present-chunks.ts'
import { presentStore } from '../document-stores/present-store.ts'
import { removeLoaded } from '../document-stores/remove-loaded.ts'
import { MANAGEMENT } from '../management.ts'
import type { Platform } from '../platform.ts'
import { readShape } from '../read-shape.ts'
import { type Route, route } from '../route.ts'
import { resultUnlessStalled } from '../job-answer.ts'
import { planQuery, retrievalOverrides } from './query.ts'

type Parts = z.output<typeof storePartsBody>

const MANAGER_SEES = { manager: true, fence: undefined } as const
const stored = { description: 'The document store', shape: documentStore }

/** The vector store of a document store: its parts, its chunks, and questions to it. */
export function documentStoreVectorRoutes(platform: Platform): Route[] {
  const { flows, catalog, upserts, reindexes, jobs } = platform

  async function saveParts(
    body: Parts,
    { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  ) {
    const { id } = await findDocumentStore(flows, body.storeId)
    return saveStore(platform, { id, request, reply }, (drawing: EditedDrawing) => {
      const put = (
        kind: Parameters<typeof putStorePart>[2],
        name: Parts['embeddingName'],
        config: Parts['embeddingConfig'],
      ) => {
        const wanted = wantedPart(name || config ? { name, config } : null)
        if (wanted) putStorePart(drawing, catalog, kind, wanted)
        else if (kind === 'recordManager' && name === null) putStorePart(drawing, catalog, kind, null)
      }
      put('embedder', body.embeddingName, body.embeddingConfig)
      put('vectorStore', body.vectorStoreName, body.vectorStoreConfig)
      put('recordManager', body.recordManagerName, body.recordManagerConfig)
    })
  }

  /** Gives the chunks of a store new vectors where it has another embedder or engine than they were stored with. */
  async function moveChunks(flow: FlowRow, owner: string): Promise<void> {
    const { part } = planRetrieval({ catalog, nodeServices: platform.nodeServices }, flowSource(flow), {
      overrides: {},
    })
    try {
      await part.store.view(part.embedder.id)
      return
    } catch (error) {
      if (!(error instanceof SluiceError) || !['embedder_changed', 'engine_changed'].includes(error.code))
        throw error
    }
    const prepared = reindexes.prepare(flowSource(flow), { overrides: {} })
    const { job } = await jobs.submit({ ...prepared, kind: 'reindex', flowId: flow.id, owner })
    await resultUnlessStalled(platform, job)
  }

  return [
    route({
      method: 'POST',
      url: '/api/v1/document-store/vectorstore/query',
      summary: 'Find the chunks of a document store that match a question',
      tag: 'vectors',
      work: 'short',
      access: { flow: 'query', by: 'body' },
      pinned: 'fenced',
      body: storeQueryBody,
      answer: { description: 'The matching chunks, best first', shape: storeQuery },
      async handle({ body, enter, fence, spend, clientGone }) {
        const flow = await enter(body.storeId)
        const { known, warnings } = searchInputs(body.inputs ?? {})
        const settings = readShape('body_invalid', queryBody, { ...known, query: body.query })
        await spend('questions', 1)
        const startedAt = performance.now()
        const { part } = await planQuery(platform, flow, { fence: await fence(), overrides: {} })
        const overrides = retrievalOverrides(settings)
        const [found = []] = await platform.retriever.retrieve(part, [body.query], overrides, clientGone())
        const timeTaken = Math.round((performance.now() - startedAt) * 100) / 100
        const docs = await Promise.all(
          found.map(async ({ id, pageContent, metadata, score, confidence }) => {
            const { source } = metadata
            const place = typeof source === 'string' ? await chunkPlaceOf(part.store, { source, id }) : -1
            return {
              id,
              pageContent,
              metadata,
              chunkNo: place < 0 ? -1 : place + 1,
              score,
              confidence: confidence ?? null,
            }
          }),
        )
        return { timeTaken, docs, ...(warnings.length > 0 ? { warnings } : {}) }
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'POST',
      url: '/api/v1/document-store/vectorstore/save',
      summary: 'Set the embeddings, the vector store and the record manager of a document store',
      headers: ifMatchHeader,
      body: storePartsBody,
      answer: stored,
      handle: async ({ body, request, reply }) =>
        presentStore(platform, await saveParts(body, { request, reply }), MANAGER_SEES),
    }),
    route({
      ...MANAGEMENT,
      method: 'POST',
      url: '/api/v1/document-store/vectorstore/update',
      summary: 'Set the vector store of a document store; the same as save',
      headers: ifMatchHeader,
      body: storePartsBody,
      answer: stored,
      handle: async ({ body, request, reply }) =>
        presentStore(platform, await saveParts(body, { request, reply }), MANAGER_SEES),
    }),
    route({
      ...MANAGEMENT,
      method: 'POST',
      url: '/api/v1/document-store/vectorstore/insert',
      summary: 'Set the parts of a document store, move its chunks to them, and load with its loaders',
      headers: ifMatchHeader,
      body: storePartsBody,
      answer: { description: 'The store, and the counts of chunks of all loaders', shape: storeInsert },
      async handle({ body, request, reply, caller }) {
        const flow = await saveParts(body, { request, reply })
        const drawing = readStoreDrawing(flow.flowData, catalog)
        const docId = typeof body.docId === 'string' && body.docId !== '' ? body.docId : undefined
        const loaders = docId === undefined ? drawing.loaders : [findLoader(drawing, docId, flow.slug)]
        const owner = ownerOfJobs(await caller(), flow)
        await moveChunks(flow, owner)
        const counts = { numAdded: 0, numUpdated: 0, numSkipped: 0, numDeleted: 0 }
        const warnings: JsonObject[] = []
        for (const { id } of loaders) {
          const prepared = upserts.prepareRefresh(flowSource(flow), { loader: id })
          const { job } = await jobs.submit({ ...prepared, kind: 'upsert', flowId: flow.id, owner })
          const result = await resultUnlessStalled(platform, job)
          for (const name of Object.keys(counts) as (keyof typeof counts)[])
            counts[name] += Number(result[name] ?? 0)
          warnings.push(...(result.warnings as JsonObject[]))
        }
        return { ...(await presentStore(platform, flow, MANAGER_SEES)), ...counts, warnings }
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'DELETE',
      url: '/api/v1/document-store/vectorstore/:id',
      summary: 'Remove the chunks of a document store, or those of one loader; they can be restored',
      params: emptyStoreParams,
      query: emptyStoreQuery,
      answer: { description: 'How many chunks were removed', shape: emptiedStore },
      async handle({ params, query }) {
        const flow = await findDocumentStore(flows, params.id)
        if (query.docId !== undefined)
          findLoader(readStoreDrawing(flow.flowData, catalog), query.docId, flow.slug)
        return { numDeleted: await removeLoaded(platform, flow, query.docId) }
      },
    }),
  ]
}

/** Settings of a search that a request may give, as the query route takes them. */
const SEARCH_INPUTS = [
  'topK',
  'mode',
  'fusion',
  'weight',
  'minScore',
  'mmr',
  'filter',
  'nearDuplicates',
  'rerank',
] as const

/** The search settings among the inputs of a vector store; of all others it is told that they have no effect. */
function searchInputs(inputs: JsonObject) {
  const known: JsonObject = {}
  const warnings: { key: string; reason: string }[] = []
  for (const [key, value] of Object.entries(inputs)) {
    if (value === null || value === '') continue
    if ((SEARCH_INPUTS as readonly string[]).includes(key)) known[key] = value
    else warnings.push({ key: key.slice(0, 100), reason: 'a question cannot set it; the store has it' })
  }
  return { known, warnings }
}
