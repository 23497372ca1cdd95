import { acceptedJob, asyncQuery, jobHeaders } from '../../api/job-request.ts'
import { flowParams } from '../../api/params.ts'
import { dryRunBody, upsertShape } from '../../api/upsert.ts'
import type { Fence } from '../../contract/fence.ts'
import type { FlowRow } from '../../contract/flow-store.ts'
import { requireManager } from '../access.ts'
import { answerJob, idempotencyOf } from '../job-request.ts'
import { conversationCaller, requireOwnConversation } from '../chat/own-conversation.ts'
import type { Platform } from '../platform.ts'
import { resultUnlessStalled } from '../unless-stalled.ts'
import { isForm, type Route, route } from '../route.ts'
import { flowSource } from '../../flow/find-flow.ts'
import { documentBytes, readBody, readForm, receiveForm, type ReceivedUpsert } from './upsert.ts'

/** The drawing in a request; undefined for the stored one. */
type Draft = string | undefined

/** Dry runs as jobs: with progress, and with the fate of each chunk. */
export function dryRunRoutes(platform: Platform): Route[] {
  const { jobs, dryRuns } = platform

  const prepare = (
    flow: FlowRow,
    received: ReceivedUpsert,
    { draft, fence, name }: { draft: Draft; fence: Fence | undefined; name: string },
  ) => {
    const { flowData, ...source } = flowSource(flow)
    const uploads = received.upload?.files.length ? received.upload.files : undefined
    return dryRuns.prepare(
      { ...source, flowData: draft ?? flowData },
      { ...received, uploads, fence, sender: conversationCaller(flow, { name, fence }) },
      draft !== undefined,
    )
  }

  return [
    route({
      method: 'POST',
      url: '/api/v1/vector/dry-run/:flowId',
      summary: 'Show as a job what an upsert would do with each chunk; nothing is embedded or stored',
      tag: 'vectors',
      access: { flow: 'upsert' },
      pinned: 'fenced',
      params: flowParams,
      query: asyncQuery,
      accepts: ['multipart/form-data', 'application/json'],
      body: dryRunBody,
      bodyMegabytes: 50,
      headers: jobHeaders,
      answer: {
        status: 202,
        description: 'The job. Its result has the counts, and an estimate of the texts and tokens to embed',
        shape: acceptedJob,
      },
      also: [{ status: 200, description: 'The result of the job, with async=false', shape: upsertShape }],
      async handle({ flow, request, reply, query, body, caller, owner, fence, spend, admitAgain }) {
        if (!isForm(request)) {
          const { flowData, ...rest } = body
          const draft: Draft =
            typeof flowData === 'object' && flowData ? JSON.stringify(flowData) : flowData || undefined
          return submit(readBody(rest), draft)
        }
        jobs.checkRoom(await owner())
        await jobs.checkShelf()
        const upload = await receiveForm(platform, request)
        let owned = false
        try {
          await admitAgain()
          const draft: Draft = upload.fields.find(([name]) => name === 'flowData')?.[1] || undefined
          const fields = upload.fields.filter(([name]) => name !== 'flowData')
          return await submit(readForm({ ...upload, fields }), draft)
        } finally {
          // From here on the files belong to the new job; without one they are removed.
          if (!owned || upload.files.length === 0) await upload.remove()
        }

        async function submit(received: ReceivedUpsert, draft: Draft) {
          // A drawing may name any credential and any folder: only managers may run one that is not stored.
          if (draft !== undefined) await requireManager(request)
          await requireOwnConversation(platform, { flow, caller, fence }, received.chatId)
          await spend('bytes', documentBytes(request, received.upload))
          const content = ['dryRun', draft ?? null, received.content]
          const uploads = received.upload?.files.length ? received.upload : undefined
          const submitted = await jobs.submit({
            ...prepare(flow, received, { draft, fence: await fence(), name: await caller() }),
            kind: 'dryRun',
            flowId: flow.id,
            owner: await owner(),
            uploads: uploads && {
              folder: uploads.folder,
              files: uploads.files.map(({ path: _, ...file }) => file),
            },
            idempotency: await idempotencyOf(request, { flowId: flow.id, caller, content }),
          })
          owned = !submitted.repeated
          if (query.async !== false) return answerJob(platform, submitted, { request, reply, async: true })
          const result = await resultUnlessStalled(platform, submitted.job)
          return reply.code(200).send(result)
        }
      },
    }),
  ]
}
