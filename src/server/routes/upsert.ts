import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { asyncQuery, jobHeaders } from '../../api/job.ts'
import { chatId } from '../../api/json.ts'
import { flowParams } from '../../api/params.ts'
import { upsertBody, upsertShape } from '../../api/upsert.ts'
import type { FlowRow } from '../../contract/flow-store.ts'
import type { Idempotency } from '../../contract/job.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { Json, JsonObject } from '../../kit/json.ts'
import type { UpsertWork } from '../../upsert/run.ts'
import { flowSource } from '../stored-flow.ts'
import { readFormOverrides } from '../form-overrides.ts'
import { idempotencyKey, idempotencyOf, acceptedAnswer, answerJob } from '../job-request.ts'
import type { Platform } from '../platform.ts'
import { isForm, type Route, route } from '../route.ts'
import { receiveUpload, type Upload } from '../uploads.ts'

/** A request as it came, whatever its form. */
type Asked = {
  overrides: JsonObject
  stopNodeId?: string | undefined
  /** The conversation that alone finds what is loaded. */
  chatId?: string | undefined
  upload?: Upload
  /** All that was sent, to tell a repetition from another request. */
  content: Json
}

export function upsertRoutes(platform: Platform): Route[] {
  const { engine, jobs, upserts, config } = platform

  const receive = (request: FastifyRequest) =>
    receiveUpload(request.raw, platform.uploadDirectory, {
      megabytes: config.MAX_UPLOAD_MB,
      files: config.MAX_FILES,
      shortage: platform.shortage,
    })

  /** The job that a request makes or has made before; the answer at once where it only asks what would happen. */
  async function submit(flow: FlowRow, asked: Asked, idempotency: Idempotency | undefined) {
    const earlier = idempotency && (await jobs.findRepeated(idempotency))
    if (earlier) return { job: earlier, repeated: true }
    const uploads = asked.upload?.files.length ? asked.upload.files : undefined
    const { plan, ...prepared } = upserts.prepare(flowSource(flow), { ...asked, uploads })
    if (plan.options.dryRun) return { answer: await dryRun({ ...plan, ...(uploads ? { uploads } : {}) }) }
    return jobs.submit({
      ...prepared,
      kind: 'upsert',
      flowId: flow.id,
      uploads: uploads && {
        folder: asked.upload!.folder,
        files: uploads.map(({ path: _, ...file }) => file),
      },
      idempotency,
    })
  }

  async function dryRun(work: UpsertWork) {
    const began = performance.now()
    const result = await engine.upsert(work, new AbortController().signal)
    return { ...result, timeTaken: Math.round(performance.now() - began) }
  }

  return [
    route({
      method: 'POST',
      url: '/api/v1/vector/upsert/:flowId',
      summary: 'Load documents into the vector store of a flow, and wait or follow the job',
      tag: 'vectors',
      access: { flow: 'upsert' },
      pages: 'listed',
      params: flowParams,
      query: asyncQuery,
      accepts: ['multipart/form-data', 'application/json'],
      body: upsertBody,
      // A text to be split may lie in it.
      bodyMegabytes: 50,
      headers: jobHeaders,
      answer: { description: 'What became of each file, and the four counters', shape: upsertShape },
      also: [acceptedAnswer],
      async handle({ flow, request, reply, query, body, caller }) {
        // Nobody sends a gigabyte only to be refused; a repetition is no new job.
        if (idempotencyKey(request.headers) === undefined) jobs.checkRoom()
        const upload = isForm(request) ? await receive(request) : undefined
        let submitted: Awaited<ReturnType<typeof submit>> | undefined
        try {
          const asked = upload ? askedByForm(upload) : askedByBody(body)
          submitted = await submit(
            flow,
            asked,
            await idempotencyOf(request, { flowId: flow.id, caller, content: asked.content }),
          )
        } finally {
          // What no new job has taken over is of no use any more.
          const taken = submitted && 'job' in submitted && !submitted.repeated
          if (!taken || upload?.files.length === 0) await upload?.discard()
        }
        if ('answer' in submitted) return submitted.answer
        return answerJob(platform, submitted, { request, reply, async: query.async })
      },
    }),
  ]
}

function askedByForm(upload: Upload): Asked {
  const files = upload.files.map(({ name, size, sha256 }) => [name, size, sha256])
  const asked = readFormOverrides(upload.fields)
  if (asked.chatId !== undefined && !chatId.safeParse(asked.chatId).success)
    throw new SluiceError('body_invalid', { reason: 'chatId: expected at most 255 characters' })
  return { ...asked, upload, content: [upload.fields, files] }
}

const askedByBody = (body: z.output<typeof upsertBody>): Asked => ({
  overrides: body.overrideConfig ?? {},
  stopNodeId: body.stopNodeId || undefined,
  chatId: body.chatId || undefined,
  content: body as Json,
})
