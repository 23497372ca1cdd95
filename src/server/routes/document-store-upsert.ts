import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { acceptedStoreJob, storeUpsert, storeUpsertBody } from '../../api/document-store.ts'
import { asyncQuery, jobHeaders } from '../../api/job-request.ts'
import { flowParams } from '../../api/params.ts'
import type { Fence } from '../../contract/fence.ts'
import type { FlowRow } from '../../contract/flow-store.ts'
import type { Idempotency } from '../../contract/job.ts'
import {
  copyLoader,
  type EditedDrawing,
  putLoader,
  removeLoader,
} from '../../flow/document-stores/edit-drawing.ts'
import { documentStoreMark } from '../../flow/document-stores/mark.ts'
import { findLoader, readStoreDrawing } from '../../flow/document-stores/read-store.ts'
import { flowSource } from '../../flow/find-flow.ts'
import type { JobView } from '../../jobs/active/job-view.ts'
import { SluiceError } from '../../kit/errors.ts'
import { randomId, uuidOf } from '../../kit/hash.ts'
import type { Json, JsonObject } from '../../kit/json.ts'
import type { Prepared } from '../../jobs/performer.ts'
import { requireManager } from '../access.ts'
import { conversationCaller } from '../chat/own-conversation.ts'
import {
  editedStore,
  requireMaySet,
  saveStore,
  setStoreParts,
  wantedPart,
} from '../document-stores/change-store.ts'
import { storeFormBody } from '../document-stores/store-form.ts'
import { checkCredentials } from '../flow-credentials.ts'
import { idempotencyKey, idempotencyOf } from '../../jobs/submit.ts'
import { prefersAsync, resultUnlessStalled } from '../job-answer.ts'
import type { Platform } from '../platform.ts'
import { readShape, unknownFields } from '../read-shape.ts'
import { isForm, type Route, route } from '../route.ts'
import type { Upload } from '../uploads.ts'
import { newStore } from './document-stores.ts'
import { documentBytes, receiveForm } from './upsert.ts'

type Body = z.output<typeof storeUpsertBody>

/** What a new loader is where a request brings files and names none. */
const USUAL_LOADER = { name: 'fileLoader', config: {} }
const USUAL_SPLITTER = { name: 'sluiceTextSplitter', config: {} }

/** What an upsert of a document store does: which loader loads, and how the drawing changes before. */
type Target = { docId: string; edit: ((drawing: EditedDrawing) => void) | undefined }

/** Loading into document stores. */
export function documentStoreUpsertRoutes(platform: Platform): Route[] {
  const { catalog, flows, upserts, jobs } = platform

  /** A loader that reads sent files, by the name of its node. */
  const takesFiles = (name: string) =>
    Object.values(catalog.get(name)?.fields ?? {}).some(({ type }) => type === 'file')

  /** @param newId the id of the loader if it is a new one */
  function targetOf(flow: FlowRow, body: Body, { files, newId }: { files: boolean; newId: string }): Target {
    const { docId, metadata, loaderName } = body
    const held = docId ? findLoader(readStoreDrawing(flow.flowData, catalog), docId, flow.slug) : undefined
    const own = { label: loaderName ?? undefined, metadata: metadata ?? undefined }
    if (!held) {
      if (!body.loader?.name && !files)
        throw new SluiceError('body_invalid', { reason: 'docId or loader: there is neither' })
      const loader = body.loader?.name ? body.loader : { ...USUAL_LOADER, config: body.loader?.config }
      const splitter = body.splitter ?? (body.loader?.name ? undefined : USUAL_SPLITTER)
      return {
        docId: newId,
        edit: (drawing) =>
          putLoader(drawing, catalog, newId, {
            ...own,
            loader: wantedPart(loader),
            splitter: wantedPart(splitter),
          }),
      }
    }
    const changes = [body.loader, body.splitter, metadata].some((one) => one != null)
    const other = body.loader?.name != null && body.loader.name !== held.loader.name
    // Without files and changes the loader loads again, and one that takes files has those that are kept: a copy of it would bring
    // every document a second time.
    const same = body.replaceExisting || (!files && (!changes || (takesFiles(held.loader.name) && !other)))
    const id = same ? held.id : newId
    if (same && !changes && !loaderName) return { docId: id, edit: undefined }
    return {
      docId: id,
      edit(drawing) {
        if (!same) copyLoader(drawing, catalog, { from: held.id, to: id, files: !files })
        putLoader(drawing, catalog, id, {
          ...own,
          loader: wantedPart(body.loader),
          splitter: wantedPart(body.splitter),
        })
      },
    }
  }

  /** Prepares the job of a loader: of sent files, of what it finds by itself, or of all that it has loaded before. */
  function prepare(
    flow: FlowRow,
    docId: string,
    {
      upload,
      fence,
      name,
      isNew,
      replaces,
    }: {
      upload?: Upload | undefined
      fence: Fence | undefined
      name: string
      isNew: boolean
      replaces: boolean
    },
  ): Prepared {
    const source = flowSource(flow)
    const uploads = upload?.files.length ? upload.files : undefined
    if (!uploads && !isNew) return upserts.prepareRefresh(source, { loader: docId, fence })
    const sender = conversationCaller(flow, { name, fence })
    const request = { overrides: {}, uploads, fence, sender, loader: docId, replacesOthers: replaces }
    const { plan: _, ...prepared } = upserts.prepare(source, request)
    return prepared
  }

  type Sent = {
    request: FastifyRequest
    reply: FastifyReply
    upload: Upload | undefined
    name: string
    owner: string
    fence: Fence | undefined
    idempotency: Idempotency | undefined
  }

  /** Saves what the request changes, and submits its job. */
  async function submit(flow: FlowRow, body: Body, sent: Sent) {
    const { request, reply, upload, name, owner, fence, idempotency } = sent
    const files = upload !== undefined && upload.files.length > 0
    await requireMaySet(platform, request, flow, body)
    if (body.createNewDocStore) await requireManager(request)
    const newId = idempotency ? uuidOf(`document store ${idempotency.scope}`) : randomId()
    const { docId, edit } = targetOf(flow, body, { files, newId })
    const parts = [body.embedding, body.vectorStore, body.recordManager].some((one) => one != null)
    const changes = edit !== undefined || parts || body.createNewDocStore === true
    // Who may load into a flow may not change its drawing, unless it is a document store.
    if (changes && !documentStoreMark(flow.config.apiConfig)) await requireManager(request)
    const changed = (drawing: EditedDrawing) => {
      setStoreParts(drawing, catalog, body)
      edit?.(drawing)
      if (!body.createNewDocStore) return
      for (const { id } of readStoreDrawing(drawing, catalog).loaders)
        if (id !== docId) removeLoader(drawing, catalog, id)
    }
    const how = { upload, fence, name, isNew: docId === newId, replaces: body.replaceExisting === true }
    // A request that would be refused changes nothing.
    const draft = changes ? editedStore(flow, changed) : flow
    prepare(draft, docId, how)
    let saved: FlowRow
    if (body.createNewDocStore) {
      await checkCredentials(draft.flowData, platform)
      const { caller: by } = await request.caller.forAudit()
      const named = {
        name: body.docStore?.name || `Document Store ${Date.now()}`,
        description: body.docStore?.description,
      }
      saved = await flows.insert(
        newStore(platform, named, { flowData: draft.flowData, apiKeyId: flow.apiKeyId }),
        { makeUnique: true, by },
      )
    } else saved = changes ? await saveStore(platform, { id: flow.id, request, reply }, changed) : flow
    const submitted = await jobs.submit({
      ...prepare(saved, docId, how),
      kind: 'upsert',
      flowId: saved.id,
      owner,
      uploads: files
        ? { folder: upload.folder, files: upload.files.map(({ path: _, ...file }) => file) }
        : undefined,
      idempotency,
    })
    return { ...submitted, docId, storeId: saved.id }
  }

  async function answer(
    { job, docId, storeId }: { job: JobView; docId: string; storeId: string },
    {
      request,
      reply,
      async,
      unknown,
    }: {
      request: FastifyRequest
      reply: FastifyReply
      async: boolean | undefined
      unknown: { key: string; reason: string }[]
    },
  ) {
    if (async ?? prefersAsync(request.headers))
      return reply
        .code(202)
        .header('location', `/api/v1/jobs/${job.id}`)
        .send({ jobId: job.id, state: 'queued', docId, storeId })
    const result = await resultUnlessStalled(platform, job)
    return { ...result, warnings: [...unknown, ...(result.warnings as JsonObject[])], docId, storeId }
  }

  return [
    route({
      method: 'POST',
      url: '/api/v1/document-store/upsert/:flowId',
      summary: 'Load files, or what a loader finds, into a document store; wait for the result, or get a job',
      tag: 'vectors',
      access: { flow: 'upsert' },
      pinned: 'fenced',
      params: flowParams,
      query: asyncQuery,
      accepts: ['multipart/form-data', 'application/json'],
      body: storeUpsertBody,
      bodyMegabytes: 50,
      headers: jobHeaders,
      answer: { description: 'The outcome as of an upsert, and the loader', shape: storeUpsert },
      also: [{ status: 202, description: 'The job', shape: acceptedStoreJob }],
      async handle({ flow, request, reply, query, body, caller, owner, fence, spend, admitAgain }) {
        if (idempotencyKey(request.headers) === undefined) {
          jobs.checkRoom(await owner())
          if (isForm(request)) await jobs.checkShelf()
        }
        const upload = isForm(request) ? await receiveForm(platform, request) : undefined
        let submitted: Awaited<ReturnType<typeof submit>> | undefined
        let unknown: { key: string; reason: string }[] = []
        try {
          await admitAgain()
          const read = upload
            ? readShape('body_invalid', storeUpsertBody, storeFormBody(upload.fields))
            : body
          unknown = unknownFields(read, storeUpsertBody)
          const sent = upload?.files.map(({ name, size, sha256 }) => [name, size, sha256]) ?? []
          const content = ['documentStore', read as Json, sent]
          const idempotency = await idempotencyOf(request, { flowId: flow.id, caller, content })
          const earlier = idempotency && (await jobs.findRepeated(idempotency))
          if (earlier) {
            const newId = uuidOf(`document store ${idempotency.scope}`)
            const stored = await flows.find(earlier.flowId)
            const made =
              stored && readStoreDrawing(stored.flowData, catalog).loaders.some(({ id }) => id === newId)
            submitted = {
              job: earlier,
              repeated: true,
              docId: made ? newId : (read.docId ?? newId),
              storeId: earlier.flowId,
            }
          } else {
            await spend('bytes', documentBytes(request, upload))
            submitted = await submit(flow, read, {
              ...{ request, reply, upload, idempotency },
              name: await caller(),
              owner: await owner(),
              fence: await fence(),
            })
          }
        } finally {
          // From here on the files belong to the new job; without one they are removed.
          if (!submitted || submitted.repeated || upload?.files.length === 0) await upload?.remove()
        }
        if (submitted.repeated) reply.header('idempotent-replayed', 'true')
        return answer(submitted, { request, reply, async: query.async, unknown })
      },
    }),
  ]
}
