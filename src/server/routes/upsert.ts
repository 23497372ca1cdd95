import { asyncQuery, jobHeaders } from '../../api/job-request.ts'
import { flowParams } from '../../api/params.ts'
import { upsertBody, upsertShape } from '../../api/upsert.ts'
import type { Fence } from '../../contract/fence.ts'
import type { FlowRow } from '../../contract/flow-store.ts'
import type { Idempotency } from '../../contract/job.ts'
import type { UpsertWork } from '../../upsert/run.ts'
import { idempotencyKey, idempotencyOf, acceptedAnswer, answerJob } from '../job-request.ts'
import { takeConversation, conversationCaller, requireOwnConversation } from '../chat/own-conversation.ts'
import type { Platform } from '../platform.ts'
import { documentBytes, readBody, readForm, receiveForm, type ReceivedUpsert } from '../received-upsert.ts'
import { isForm, type Route, route } from '../route.ts'
import { flowSource } from '../../flow/find-flow.ts'

export function upsertRoutes(platform: Platform): Route[] {
  const { engine, jobs, upserts } = platform

  /** The job of the request, new or of an earlier equal request; for a dry run, the answer. */
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
    const earlier = idempotency && (await jobs.findRepeated(idempotency))
    if (earlier) return { job: earlier, repeated: true }
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
          const { content, chatId } = received
          await requireOwnConversation(platform, { flow, caller, fence }, chatId)
          const idempotency = await idempotencyOf(request, { flowId: flow.id, caller, content })
          // A repetition brings nothing new.
          if (!idempotency || !(await jobs.findRepeated(idempotency)))
            await spend('bytes', documentBytes(request, upload))
          submitted = await submit(flow, received, {
            idempotency,
            fence: await fence(),
            name: await caller(),
            owner: await owner(),
          })
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
