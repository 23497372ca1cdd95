import {
  failedChangeQuery,
  type FailedFileAnswer,
  failedFilePage,
  failedFileQuery,
  failedRemoval,
  failedRemovalBody,
  failedRetry,
  failedRetryBody,
} from '../../api/failed-file.ts'
import { flowParams } from '../../api/params.ts'
import type { FailedFile, FailedScope } from '../../contract/failed-file-store.ts'
import type { Fence } from '../../contract/fence.ts'
import type { FlowRow } from '../../contract/flow-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import { fileReason } from '../../kit/file-reason.ts'
import { toRange } from '../../kit/paging.ts'
import { readPasswords } from '../file-passwords.ts'
import { uploadKeptFiles } from '../kept-uploads.ts'
import { isoTime } from '../management.ts'
import { conversationCaller } from '../chat/own-conversation.ts'
import type { Platform } from '../platform.ts'
import { type Call, type Route, route } from '../route.ts'
import { fenceForCaller, storeForCaller } from '../stored-flow.ts'
import { flowSource } from '../../flow/find-flow.ts'

type Where = { stopNodeId?: string | null | undefined; pin?: string | string[] | undefined }

/** Files that could not be loaded: what failed, and what can be done about it. */
export function failedFileRoutes(platform: Platform): Route[] {
  const { failedFiles, jobs, originals, upserts } = platform

  /** Callers within a fence see only what was sent within it, as with documents. */
  async function scopeOf(
    { flow, fence }: Pick<Call<unknown, unknown, unknown>, 'flow' | 'fence'>,
    { stopNodeId, pin }: Where,
  ): Promise<{ scope: FailedScope; within: Fence | undefined; flow: FlowRow }> {
    const ofCaller = await fence()
    const within = fenceForCaller(pin, ofCaller)
    const request = { stopNodeId: stopNodeId ?? undefined, pin }
    const { namespace } = storeForCaller(platform, flow, request, ofCaller)
    return { scope: { namespace, fence: within?.id ?? '' }, within, flow }
  }

  /** Jobs that failed with their uploads, which are kept some days for a retry. */
  async function retryableJobs(files: readonly FailedFile[]): Promise<Set<string>> {
    const ids = [...new Set(files.map(({ job }) => job))]
    const found = await Promise.all(ids.map((id) => jobs.find(id)))
    return new Set(found.flatMap((job) => (job?.state === 'failed' && job.folder !== null ? [job.id] : [])))
  }

  return [
    route({
      method: 'GET',
      url: '/api/v1/vector/failed/:flowId',
      summary: 'The files of a flow that could not be loaded and were not loaded since, with the reasons',
      tag: 'vectors',
      access: { flow: 'upsert' },
      pinned: 'fenced',
      params: flowParams,
      query: failedFileQuery,
      answer: { description: 'A page of files, the one that failed last first', shape: failedFilePage },
      async handle({ flow, fence, query }) {
        const { scope } = await scopeOf({ flow, fence }, query)
        const { rows, total } = await failedFiles.list(scope, { ...toRange(query), search: query.search })
        const retryable = await retryableJobs(rows)
        return { data: rows.map((file) => presentFile(file, retryable)), total }
      },
    }),
    route({
      method: 'POST',
      url: '/api/v1/vector/failed/:flowId/retry',
      summary: 'Load failed files again from the files that are kept, of a flow with the setting originals',
      tag: 'vectors',
      access: { flow: 'upsert' },
      pinned: 'fenced',
      params: flowParams,
      query: failedChangeQuery,
      body: failedRetryBody,
      answer: { description: 'The job that loads them', shape: failedRetry },
      async handle({ flow, fence, caller, owner, query, body, spend }) {
        jobs.checkRoom(await owner())
        await jobs.checkShelf()
        const passwords = readPasswords(body.password ?? null)
        const { scope, within } = await scopeOf({ flow, fence }, { ...query, ...body })
        const found = await failedFiles.named(scope, body.files)
        const kept = found.flatMap(({ name, original }) => (original ? [{ name, ...original }] : []))
        const { MAX_UPLOAD_MB: limit } = platform.config
        const bytes = kept.reduce((sum, file) => sum + file.bytes, 0)
        if (bytes > limit * 2 ** 20) throw new SluiceError('upload_too_large', { limit })
        await spend('bytes', bytes)
        const { folder, files, missing, remove } = await uploadKeptFiles(
          platform.uploadDirectory,
          originals,
          kept,
        )
        const sent = new Set(files.map(({ name }) => name))
        let submitted = false
        try {
          if (files.length === 0) throw new SluiceError('original_not_kept', { source: body.files[0]! })
          const { plan: _, ...prepared } = upserts.prepare(flowSource(flow), {
            overrides: {},
            stopNodeId: body.stopNodeId ?? undefined,
            uploads: files,
            passwords,
            fence: within,
            sender: conversationCaller(flow, { name: await caller(), fence: within }),
          })
          const { job } = await jobs.submit({
            ...prepared,
            ...{ kind: 'upsert', flowId: flow.id, owner: await owner(), uploads: { folder, files } },
          })
          submitted = true
          const left = new Set([...missing, ...body.files.filter((name) => !sent.has(name))])
          return { jobId: job.id, files: files.length, missing: [...left] }
        } finally {
          if (!submitted) await remove()
        }
      },
    }),
    route({
      method: 'POST',
      url: '/api/v1/vector/failed/:flowId/forget',
      summary: 'Forget failed files that nobody needs; nothing is removed from the store',
      tag: 'vectors',
      access: { flow: 'upsert' },
      pinned: 'fenced',
      params: flowParams,
      query: failedChangeQuery,
      body: failedRemovalBody,
      answer: { description: 'How many were forgotten', shape: failedRemoval },
      async handle({ flow, fence, query, body }) {
        const { scope } = await scopeOf({ flow, fence }, { ...query, ...body })
        return { numForgotten: await failedFiles.remove(scope, body.files) }
      },
    }),
  ]
}

const presentFile = (file: FailedFile, retryable: ReadonlySet<string>): FailedFileAnswer => ({
  file: file.name,
  code: file.code,
  reason: fileReason(file.name, file.message),
  jobId: file.job,
  failedAt: isoTime(file.failedAt),
  again: file.original ? 'kept' : retryable.has(file.job) ? 'job' : file.uploaded ? 'file' : 'upsert',
  olderChunks: file.olderChunks,
})
