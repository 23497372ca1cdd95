import type { UploadedFile } from '../contract/loader.ts'
import type { FlowSource, PlanContext } from '../flow/apply-request.ts'
import { describeNodes } from '../flow/describe.ts'
import { planUpsert, type StorePlan } from '../flow/plan-store.ts'
import { SluiceError } from '../kit/errors.ts'
import type { Json, JsonObject } from '../kit/json.ts'
import type { Log } from '../kit/log.ts'
import type { UpsertEngine } from './engine.ts'
import type { Performer, Prepared } from './performer.ts'
import type { UpsertWork } from './run.ts'

/** The parameters of an upsert request. */
export type UpsertJobRequest = {
  overrides: JsonObject
  stopNodeId?: string | undefined
  uploads?: readonly UploadedFile[] | undefined
  /** With it only this conversation finds the documents. */
  chatId?: string | undefined
}

/** The stored request, with the flow as it was at the time of the request: later edits do not change a queued job. */
type Content = {
  flow: { id: string; flowData: string; apiConfig: Json }
  overrides: JsonObject
  stopNodeId?: string | undefined
  uploading: boolean
  chatId?: string | undefined
}

export type UpsertJobs = Performer & {
  /** Checks a request in the same way as its run does. @throws SluiceError as `planUpsert` does */
  prepare(
    flow: FlowSource,
    request: UpsertJobRequest,
  ): Prepared & { plan: StorePlan & Pick<UpsertWork, 'conversation'> }
}

export type UpsertJobsOptions = PlanContext & {
  engine: UpsertEngine
  findFlow(id: string): Promise<FlowSource | undefined>
  log: Log
}

/**
 * Upsert jobs. A request is planned to check it, and again when its job runs: a queued job must survive a restart, and
 * should not hold its texts in memory.
 */
export function upsertJobs({ engine, catalog, nodeServices, findFlow, log }: UpsertJobsOptions): UpsertJobs {
  const planOf = ({ flow, ...request }: Content): StorePlan & Pick<UpsertWork, 'conversation'> => ({
    conversation: { flowId: flow.id, chatId: request.chatId },
    ...planUpsert({ catalog, nodeServices }, flow, {
      overrides: request.overrides,
      uploads: request.uploading,
      stopNodeId: request.stopNodeId,
    }),
  })

  function prepareContent(content: Content) {
    const plan = planOf(content)
    return {
      plan,
      namespace: plan.part.store.namespace,
      request: content as unknown as JsonObject,
      description: describeNodes(plan.nodes, catalog),
    }
  }

  return {
    prepare({ id, flowData, apiConfig }, { overrides, stopNodeId, uploads, chatId }) {
      const flow = { id, flowData, apiConfig: apiConfig as Json }
      const uploading = uploads !== undefined && uploads.length > 0
      return prepareContent({ flow, overrides, stopNodeId, uploading, chatId })
    },
    async run(request, { jobId, uploads, turn, signal, onProgress }) {
      const content = request as unknown as Content
      const plan = planOf(content)
      const result = await engine.upsert(
        { ...plan, jobId, ...(uploads ? { uploads } : {}) },
        signal,
        onProgress,
        turn,
      )
      log.info('upsert-done', {
        flow: content.flow.id,
        files: result.files.length,
        failed: result.numFailed,
        added: result.numAdded,
        updated: result.numUpdated,
        skipped: result.numSkipped,
        deleted: result.numDeleted,
      })
      return result
    },
    /** A retry uses the flow as it is now: the user may have repaired it. */
    async renew(flowId, request) {
      const flow = await findFlow(flowId)
      if (!flow) throw new SluiceError('flow_not_found', { flow: flowId })
      const { plan: _, ...prepared } = prepareContent({
        ...(request as unknown as Content),
        flow: { ...flow, apiConfig: flow.apiConfig as Json },
      })
      return prepared
    },
  }
}
