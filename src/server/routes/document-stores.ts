import {
  documentStore,
  documentStoreList,
  documentStorePatch,
  newDocumentStore,
  storeDeletion,
} from '../../api/document-store.ts'
import { ifMatchHeader } from '../../api/flow-revision.ts'
import { nodeList } from '../../api/node.ts'
import { flowParams, idParams } from '../../api/params.ts'
import type { PartKind } from '../../contract/card.ts'
import type { FlowRow } from '../../contract/flow-store.ts'
import { newStoreDrawing } from '../../flow/document-stores/edit-drawing.ts'
import { documentStoreMark, newStoreConfig, withDocumentStoreMark } from '../../flow/document-stores/mark.ts'
import { randomId } from '../../kit/hash.ts'
import { slugOf } from '../../kit/slug.ts'
import { describeKind } from '../../nodes/describe-kind.ts'
import { deleteFlow } from '../delete-flow.ts'
import { findDocumentStore } from '../document-stores/find-store.ts'
import { presentStore, presentStores } from '../document-stores/present-store.ts'
import { MANAGEMENT } from '../management.ts'
import type { Platform } from '../platform.ts'
import { type Call, type Route, route } from '../route.ts'
import { saveFlow, sendTag } from '../save-flow.ts'

const answer = { description: 'The document store', shape: documentStore }

/** The lists of parts, by their names in addresses. */
const COMPONENTS: Readonly<Record<string, PartKind>> = {
  loaders: 'loader',
  embeddings: 'embedder',
  vectorstore: 'vectorStore',
  recordmanager: 'recordManager',
}

/** A manager sees the settings of a store. */
export const isManager = async ({ caller }: Pick<Call<unknown, unknown, unknown>, 'caller'>) =>
  (await caller()) === 'manager'

/** A flow that is a new document store, not saved. */
export function newStore(
  { catalog }: Pick<Platform, 'catalog'>,
  { name, description }: { name: string; description?: string | null | undefined },
  from: Partial<Pick<FlowRow, 'flowData' | 'apiKeyId'>> = {},
) {
  const now = Date.now()
  return {
    id: randomId(),
    slug: slugOf(name),
    name,
    type: 'CHATFLOW',
    flowData: from.flowData ?? JSON.stringify(newStoreDrawing(catalog)),
    config: { apiConfig: newStoreConfig({ description: description ?? '' }) },
    apiKeyId: from.apiKeyId ?? null,
    createdAt: now,
    updatedAt: now,
  }
}

/** Document stores: flows that are marked as such, in the words of Flowise. */
export function documentStoreRoutes(platform: Platform): Route[] {
  const { flows, catalog } = platform

  return [
    route({
      ...MANAGEMENT,
      method: 'POST',
      url: '/api/v1/document-store/store',
      summary: 'Create a document store: a flow with embeddings, a vector store and a record manager',
      body: newDocumentStore,
      answer,
      async handle({ body, request, reply }) {
        const { caller: by } = await request.caller.forAudit()
        const made = await flows.insert(newStore(platform, body), { makeUnique: true, by })
        sendTag(reply, made)
        return presentStore(platform, made, { manager: true, fence: undefined })
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/document-store/store',
      summary:
        'All document stores; for a key without manage, those that it may query or load, without settings',
      access: 'key',
      answer: { description: 'The document stores', shape: documentStoreList },
      async handle({ caller, may, fence }) {
        const { rows } = await flows.list()
        const stores = rows.filter(({ config }) => documentStoreMark(config.apiConfig))
        const manager = await isManager({ caller })
        const allowed = manager
          ? stores
          : (
              await Promise.all(
                stores.map(async (flow) =>
                  (await may('query', flow)) || (await may('upsert', flow)) ? [flow] : [],
                ),
              )
            ).flat()
        return presentStores(platform, allowed, { manager, fence: await fence() })
      },
    }),
    route({
      method: 'GET',
      url: '/api/v1/document-store/store/:flowId',
      summary: 'One document store; for a key without manage without settings',
      tag: 'vectors',
      access: { flow: 'query', or: 'upsert' },
      params: flowParams,
      answer,
      async handle({ flow, caller, fence, reply }) {
        sendTag(reply, flow)
        return presentStore(platform, flow, { manager: await isManager({ caller }), fence: await fence() })
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'PUT',
      url: '/api/v1/document-store/store/:id',
      summary: 'Rename or describe a document store. With If-Match, only if it was not saved since',
      params: idParams,
      headers: ifMatchHeader,
      body: documentStorePatch,
      answer,
      async handle({ params, body, request, reply }) {
        await findDocumentStore(flows, params.id)
        const saved = await saveFlow(flows, { id: params.id, request, reply }, (stored) => {
          const { apiConfig } = stored.config
          const mark = documentStoreMark(apiConfig) ?? { description: '' }
          return {
            ...stored,
            name: body.name ?? stored.name,
            config: {
              ...stored.config,
              apiConfig: withDocumentStoreMark(apiConfig, {
                description: body.description ?? mark.description,
              }),
            },
            updatedAt: Math.max(Date.now(), stored.updatedAt),
          }
        })
        return presentStore(platform, saved, { manager: true, fence: undefined })
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'DELETE',
      url: '/api/v1/document-store/store/:id',
      summary: 'Delete a document store with its chunks; as its flow it can be restored for thirty days',
      params: idParams,
      answer: { description: 'The number of deleted stores', shape: storeDeletion },
      async handle({ params }) {
        await deleteFlow(platform, await findDocumentStore(flows, params.id))
        return { deleted: 1 }
      },
    }),
    ...Object.entries(COMPONENTS).map(([name, kind]) =>
      route({
        ...MANAGEMENT,
        method: 'GET',
        url: `/api/v1/document-store/components/${name}`,
        summary: `The types of nodes for document stores: ${name}`,
        answer: { description: 'The node types', shape: nodeList },
        handle: async () => [...catalog.values()].filter((card) => card.kind === kind).map(describeKind),
      }),
    ),
  ]
}
