import { z } from 'zod'
import type { UploadedFile } from '../../contract/loader.ts'
import { planUpsert } from '../../flow/plan.ts'
import { randomId } from '../../kit/hash.ts'
import type { JsonObject } from '../../kit/json.ts'
import type { FlowRow } from '../../db/flows.ts'
import { flowSource } from '../flow-row.ts'
import { readFormOverrides } from '../form-overrides.ts'
import type { Platform } from '../platform.ts'
import { isForm, jsonObject, type Route, route } from '../route.ts'
import { receiveUpload } from '../uploads.ts'

const upsertBody = z.looseObject({
  overrideConfig: jsonObject.nullish(),
  stopNodeId: z.string().nullish(),
})

const document = z.object({ pageContent: z.string(), metadata: jsonObject })
const count = z.number().int().min(0)

const upsertAnswer = z.object({
  numAdded: count,
  numUpdated: count,
  numSkipped: count,
  numDeleted: count,
  totalKeys: count,
  numFailed: count,
  files: z.array(
    z.object({
      name: z.string(),
      status: z.enum(['indexed', 'unchanged', 'empty', 'failed']),
      chunks: count,
      added: count,
      updated: count,
      skipped: count,
      deleted: count,
      code: z.string().optional(),
      message: z.string().optional(),
    }),
  ),
  warnings: z.array(z.object({ key: z.string(), reason: z.string() })),
  addedDocs: z.array(document),
  sourceDocuments: z.array(document).optional(),
  sourceDocumentsTruncated: z.boolean().optional(),
  dryRun: z.boolean().optional(),
  jobId: z.string().optional(),
  timeTaken: z.number(),
})

type Asked = { overrides: JsonObject; stopNodeId?: string; uploads?: UploadedFile[] }

export function upsertRoutes(platform: Platform): Route[] {
  const { engine, config } = platform

  async function upsert(flow: FlowRow, { overrides, stopNodeId, uploads }: Asked) {
    const began = performance.now()
    const uploading = uploads !== undefined && uploads.length > 0
    const plan = planUpsert(flowSource(flow), platform.catalog, platform.lent, {
      overrides,
      uploads: uploading,
      ...(stopNodeId === undefined ? {} : { stopNodeId }),
    })
    const work = { ...plan, ...(uploading ? { uploads } : {}) }
    const result = await engine.upsert(work, new AbortController().signal)
    platform.log.info('upsert-done', {
      flow: flow.slug,
      files: result.files.length,
      failed: result.numFailed,
      added: result.numAdded,
      updated: result.numUpdated,
      skipped: result.numSkipped,
      deleted: result.numDeleted,
    })
    return {
      ...result,
      ...(result.dryRun ? {} : { jobId: randomId() }),
      timeTaken: Math.round(performance.now() - began),
    }
  }

  return [
    route({
      method: 'POST',
      url: '/api/v1/vector/upsert/:flowId',
      summary: 'Load documents into the vector store of a flow',
      tag: 'vectors',
      access: { flow: 'upsert' },
      params: z.object({ flowId: z.string() }),
      accepts: ['multipart/form-data', 'application/json'],
      body: upsertBody,
      answer: { description: 'What became of each file, and the four counters', shape: upsertAnswer },
      async handle({ flow, request, body }) {
        if (!isForm(request)) {
          const { overrideConfig, stopNodeId } = body
          return upsert(flow, { overrides: overrideConfig ?? {}, ...(stopNodeId ? { stopNodeId } : {}) })
        }
        const upload = await receiveUpload(request.raw, platform.uploadDirectory, {
          megabytes: config.MAX_UPLOAD_MB,
          files: config.MAX_FILES,
        })
        try {
          return await upsert(flow, { ...readFormOverrides(upload.fields), uploads: upload.files })
        } finally {
          await upload.discard()
        }
      },
    }),
  ]
}
