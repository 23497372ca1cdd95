import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { acceptedRefresh, storeRefresh, storeRefreshBody } from '../../api/document-store.ts'
import { asyncQuery, jobHeaders } from '../../api/job-request.ts'
import { flowParams } from '../../api/params.ts'
import type { Idempotency } from '../../contract/job.ts'
import { type EditedDrawing, putLoader } from '../../flow/document-stores/edit-drawing.ts'
import { documentStoreMark } from '../../flow/document-stores/mark.ts'
import { findLoader, readStoreDrawing } from '../../flow/document-stores/read-store.ts'
import { flowSource } from '../../flow/find-flow.ts'
import { SluiceError } from '../../kit/errors.ts'
import { uuidOf } from '../../kit/hash.ts'
import type { Json, JsonObject } from '../../kit/json.ts'
import { requireManager } from '../access.ts'
import { requireMaySet, saveStore, setStoreParts, wantedPart } from '../document-stores/change-store.ts'
import { idempotencyOf } from '../../jobs/submit.ts'
import { prefersAsync, resultUnlessStalled } from '../job-answer.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'

type Item = NonNullable<z.output<typeof storeRefreshBody>['items']>[number]

/** Loading again what the loaders of document stores have loaded. */
export function documentStoreRefreshRoutes(platform: Platform): Route[] {
  const { catalog, upserts, jobs } = platform
  return [
    route({
      method: 'POST',
      url: '/api/v1/document-store/refresh/:flowId',
      summary:
        'Load again with the loaders of a document store, all or some, from kept files and from where they find theirs',
      tag: 'vectors',
      access: { flow: 'upsert' },
      pinned: 'fenced',
      params: flowParams,
      query: asyncQuery,
      body: storeRefreshBody,
      headers: jobHeaders,
      answer: {
        description: 'The outcome of each loader; of one of several that failed, why',
        shape: storeRefresh,
      },
      also: [{ status: 202, description: 'The jobs', shape: acceptedRefresh }],
      async handle({ flow, request, reply, query, body, caller, owner, fence }) {
        const store = readStoreDrawing(flow.flowData, catalog)
        const items: Item[] = body.items?.length ? body.items : store.loaders.map(({ id }) => ({ docId: id }))
        for (const item of items) {
          findLoader(store, item.docId, flow.slug)
          await requireMaySet(platform, request, flow, item)
        }
        const changing = items.filter((item) =>
          [
            item.loader,
            item.splitter,
            item.metadata,
            item.embedding,
            item.vectorStore,
            item.recordManager,
          ].some((one) => one != null),
        )
        if (changing.length > 0 && !documentStoreMark(flow.config.apiConfig)) await requireManager(request)
        const edit = (drawing: EditedDrawing) => {
          for (const item of changing) {
            setStoreParts(drawing, catalog, item)
            putLoader(drawing, catalog, item.docId, {
              loader: wantedPart(item.loader),
              splitter: wantedPart(item.splitter),
              metadata: item.metadata ?? undefined,
            })
          }
        }
        const saved =
          changing.length > 0 ? await saveStore(platform, { id: flow.id, request, reply }, edit) : flow
        const shared = { owner: await owner(), fence: await fence() }
        const start = async ({ docId }: Item, at: number) => {
          const content = ['documentStoreRefresh', at, body as Json]
          return jobs.submit({
            ...upserts.prepareRefresh(flowSource(saved), { loader: docId, fence: shared.fence }),
            kind: 'upsert',
            flowId: saved.id,
            owner: shared.owner,
            idempotency: await refreshIdempotency(request, { flowId: saved.id, caller, content }, at),
          })
        }
        if (query.async ?? prefersAsync(request.headers)) {
          const started = []
          for (const [at, item] of items.entries())
            started.push({
              jobId: (await start(item, at)).job.id,
              state: 'queued',
              docId: item.docId,
              storeId: saved.id,
            })
          return reply.code(202).send(started)
        }
        const results: JsonObject[] = []
        for (const [at, item] of items.entries()) {
          const { docId } = item
          try {
            const result = await resultUnlessStalled(platform, (await start(item, at)).job)
            results.push({ ...result, docId, storeId: saved.id })
          } catch (error) {
            // One loader cannot keep the others from loading.
            if (!(error instanceof SluiceError) || items.length === 1) throw error
            results.push({ docId, storeId: saved.id, error: { code: error.code, message: error.message } })
          }
        }
        return results
      },
    }),
  ]
}

/** Each loader of a refresh has a job of its own, so its repetition is recognised by its place, too. */
async function refreshIdempotency(
  request: FastifyRequest,
  sent: Parameters<typeof idempotencyOf>[1],
  at: number,
): Promise<Idempotency | undefined> {
  const idempotency = await idempotencyOf(request, sent)
  return idempotency && { ...idempotency, scope: uuidOf(`${idempotency.scope} ${at}`) }
}
