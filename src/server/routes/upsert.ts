import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { asyncQuery, jobHeaders } from '../../api/job-request.ts'
import { chatId } from '../../api/json.ts'
import { flowParams } from '../../api/params.ts'
import { upsertBody, upsertShape } from '../../api/upsert.ts'
import type { Fence } from '../../contract/fence.ts'
import type { FilePasswords } from '../../contract/file-passwords.ts'
import type { FlowRow } from '../../contract/flow-store.ts'
import type { Idempotency } from '../../contract/job.ts'
import { flowSource } from '../../flow/find-flow.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { Json, JsonObject } from '../../kit/json.ts'
import type { UpsertWork } from '../../upsert/run.ts'
import { takeConversation, conversationCaller, requireOwnConversation } from '../chat/own-conversation.ts'
import { takePasswords } from '../file-passwords.ts'
import { idempotencyKey, idempotencyOf } from '../../jobs/submit.ts'
import { acceptedAnswer, answerJob } from '../job-answer.ts'
import type { Platform } from '../platform.ts'
import { isForm, type Route, route } from '../route.ts'
import { readFormOverrides, receiveUpload, type Upload } from '../uploads.ts'

/** A request of an upsert or a dry run, with JSON or a form. */
export type ReceivedUpsert = {
  overrides: JsonObject
  stopNodeId?: string | undefined
  /** The conversation that the documents belong to; only its queries find them. */
  chatId?: string | undefined
  upload?: Upload
  /** What opens its files. */
  passwords?: FilePasswords | undefined
  /** The whole request without passwords, to recognize a repetition: its hash is stored, and would let a password be guessed. */
  content: Json
}

export function upsertRoutes(platform: Platform): Route[] {
  const { engine, jobs, upserts } = platform

  /** The job of the request; for a dry run, the answer. */
  async function submit(
    flow: FlowRow,
    received: ReceivedUpsert,
    {
      idempotency,
      fence,
      name,
      owner,
    }: { idempotency: Idempotency | undefined; fence: Fence | undefined; name: string; owner: string },
  ) {
    const uploads = received.upload?.files.length ? received.upload.files : undefined
    const sender = conversationCaller(flow, { name, fence })
    const { plan, ...prepared } = upserts.prepare(flowSource(flow), { ...received, uploads, fence, sender })
    if (plan.options.dryRun) return { answer: await dryRun({ ...plan, ...(uploads ? { uploads } : {}) }) }
    await takeConversation(platform, flow, { name, fence }, received.chatId)
    return jobs.submit({
      ...prepared,
      kind: 'upsert',
      flowId: flow.id,
      owner,
      uploads: uploads && {
        folder: received.upload!.folder,
        files: uploads.map(({ path: _, ...file }) => file),
      },
      idempotency,
    })
  }

  async function dryRun(work: UpsertWork) {
    const startedAt = performance.now()
    const result = await engine.upsert(work, new AbortController().signal)
    return { ...result, timeTaken: Math.round(performance.now() - startedAt) }
  }

  return [
    route({
      method: 'POST',
      url: '/api/v1/vector/upsert/:flowId',
      summary: 'Load documents into the vector store of a flow; wait for the result, or get a job to follow',
      tag: 'vectors',
      access: { flow: 'upsert' },
      pinned: 'fenced',
      pages: 'listed',
      params: flowParams,
      query: asyncQuery,
      accepts: ['multipart/form-data', 'application/json'],
      body: upsertBody,
      // Room for a text to split.
      bodyMegabytes: 50,
      headers: jobHeaders,
      answer: { description: 'The outcome for each file, and the counts of chunks', shape: upsertShape },
      also: [acceptedAnswer],
      async handle({ flow, request, reply, query, body, caller, owner, fence, spend, admitAgain }) {
        // Before the files are received. A repetition needs no room: it is no new job.
        if (idempotencyKey(request.headers) === undefined) {
          jobs.checkRoom(await owner())
          if (isForm(request)) await jobs.checkShelf()
        }
        const upload = isForm(request) ? await receiveForm(platform, request) : undefined
        let submitted: Awaited<ReturnType<typeof submit>> | undefined
        try {
          await admitAgain()
          const received = upload ? readForm(upload) : readBody(body)
          const { content } = received
          await requireOwnConversation(platform, { flow, caller, fence }, received.chatId)
          const idempotency = await idempotencyOf(request, { flowId: flow.id, caller, content })
          const earlier = idempotency && (await jobs.findRepeated(idempotency))
          if (earlier) submitted = { job: earlier, repeated: true }
          else {
            // A repetition brings nothing new.
            await spend('bytes', documentBytes(request, upload))
            submitted = await submit(flow, received, {
              idempotency,
              fence: await fence(),
              name: await caller(),
              owner: await owner(),
            })
          }
        } finally {
          // From here on the files belong to the new job; without one they are removed.
          const jobHasFiles = submitted && 'job' in submitted && !submitted.repeated
          if (!jobHasFiles || upload?.files.length === 0) await upload?.remove()
        }
        if ('answer' in submitted) return submitted.answer
        return answerJob(platform, submitted, { request, reply, async: query.async })
      },
    }),
  ]
}

/** Receives the files and fields of a form. */
export const receiveForm = (
  { config, shortage, uploadDirectory }: Pick<Platform, 'config' | 'shortage' | 'uploadDirectory'>,
  request: FastifyRequest,
): Promise<Upload> =>
  receiveUpload(request.raw, uploadDirectory, {
    megabytes: config.MAX_UPLOAD_MB,
    files: config.MAX_FILES,
    shortage,
  })

/** @throws SluiceError `body_invalid`, `override_invalid` */
export function readForm(upload: Upload): ReceivedUpsert {
  const files = upload.files.map(({ name, size, sha256 }) => [name, size, sha256])
  const request = readFormOverrides(upload.fields)
  if (request.chatId !== undefined && !chatId.safeParse(request.chatId).success)
    throw new SluiceError('body_invalid', { reason: 'chatId: expected at most 255 characters' })
  const { overrides, passwords } = takePasswords(request.overrides)
  const { stopNodeId = null, chatId: conversation = null } = request
  const content: Json = passwords ? [overrides, stopNodeId, conversation, files] : [upload.fields, files]
  return { ...request, overrides, upload, passwords, content }
}

/** The bytes of the documents of a request: its files, or the body of a request without files. */
export function documentBytes({ headers, body }: FastifyRequest, upload: Upload | undefined): number {
  if (upload) return upload.files.reduce((sum, { size }) => sum + size, 0)
  return Number(headers['content-length']) || Buffer.byteLength(JSON.stringify(body ?? {}))
}

/** @throws SluiceError `override_invalid` */
export function readBody(body: z.output<typeof upsertBody>): ReceivedUpsert {
  const { overrides, passwords } = takePasswords(body.overrideConfig ?? {})
  return {
    overrides,
    stopNodeId: body.stopNodeId || undefined,
    chatId: body.chatId || undefined,
    passwords,
    content: (passwords ? { ...body, overrideConfig: overrides } : body) as Json,
  }
}
