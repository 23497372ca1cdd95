import { acceptedJob, asyncQuery, jobHeaders } from '../../api/job-request.ts'
import { flowParams } from '../../api/params.ts'
import { dryRunBody, upsertShape } from '../../api/upsert.ts'
import type { Fence } from '../../contract/fence.ts'
import type { FlowRow } from '../../contract/flow-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import { requireManager } from '../access.ts'
import { idempotencyOf } from '../../jobs/submit.ts'
import { answerJob, resultUnlessStalled } from '../job-answer.ts'
import { conversationCaller, requireOwnConversation } from '../chat/own-conversation.ts'
import type { Platform } from '../platform.ts'
import { isForm, type Route, route } from '../route.ts'
import { flowSource } from '../../flow/find-flow.ts'
import { documentBytes, readBody, readForm, receiveForm, type ReceivedUpsert } from './upsert.ts'

/** What a request names instead of the live drawing and of files. `flowData`: a drawing; `draft`: that of the flow's draft. */
type Named = { flowData?: string | undefined; draft?: boolean | undefined; refresh?: boolean | undefined }

/** Dry runs as jobs: with progress, and with the fate of each chunk. */
export function dryRunRoutes(platform: Platform): Route[] {
  const { jobs, dryRuns, flowDrafts } = platform

  const prepare = (
    flow: FlowRow,
    received: ReceivedUpsert,
    {
      drawing,
      refresh,
      fence,
      name,
    }: {
      drawing: string | undefined
      refresh: boolean | undefined
      fence: Fence | undefined
      name: string
    },
  ) => {
    const { flowData, ...source } = flowSource(flow)
    const uploads = received.upload?.files.length ? received.upload.files : undefined
    return dryRuns.prepare(
      { ...source, flowData: drawing ?? flowData },
      { ...received, uploads, fence, sender: conversationCaller(flow, { name, fence }) },
      { draft: drawing !== undefined, refresh },
    )
  }

  /** The drawing that a request names; undefined for the live one. @throws SluiceError `draft_not_found`, `body_invalid` */
  async function drawingOf(flow: FlowRow, { flowData, draft }: Named): Promise<string | undefined> {
    if (!draft) return flowData
    if (flowData !== undefined)
      throw new SluiceError('body_invalid', { reason: 'give either draft or flowData' })
    const stored = await flowDrafts.find(flow.id)
    if (!stored) throw new SluiceError('draft_not_found', { flow: flow.slug })
    return stored.flowData
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
        let owned = false
        if (!isForm(request)) {
          const { flowData, draft, refresh, ...rest } = body
          const drawn =
            typeof flowData === 'object' && flowData ? JSON.stringify(flowData) : flowData || undefined
          return submit(readBody(rest), {
            flowData: drawn,
            draft: draft ?? undefined,
            refresh: refresh ?? undefined,
          })
        }
        jobs.checkRoom(await owner())
        await jobs.checkShelf()
        const upload = await receiveForm(platform, request)
        try {
          await admitAgain()
          const named = (wanted: string) => upload.fields.find(([name]) => name === wanted)?.[1] || undefined
          const fields = upload.fields.filter(([name]) => name !== 'flowData' && name !== 'draft')
          return await submit(readForm({ ...upload, fields }), {
            flowData: named('flowData'),
            draft: named('draft') === 'true',
          })
        } finally {
          // From here on the files belong to the new job; without one they are removed.
          if (!owned || upload.files.length === 0) await upload.remove()
        }

        async function submit(received: ReceivedUpsert, named: Named) {
          // A drawing may name any credential and any folder: only managers may run one that is not live.
          if (named.flowData !== undefined || named.draft) await requireManager(request)
          const drawing = await drawingOf(flow, named)
          const { refresh } = named
          await requireOwnConversation(platform, { flow, caller, fence }, received.chatId)
          await spend('bytes', documentBytes(request, received.upload))
          const content = ['dryRun', drawing ?? null, ...(refresh ? ['refresh'] : []), received.content]
          const uploads = received.upload?.files.length ? received.upload : undefined
          const submitted = await jobs.submit({
            ...prepare(flow, received, { drawing, refresh, fence: await fence(), name: await caller() }),
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
