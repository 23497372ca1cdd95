import type { UploadedFile } from '../contract/loader.ts'
import type { FlowSource, PlanContext } from '../flow/apply-request.ts'
import { describeNodes } from '../flow/describe.ts'
import { planUpsert, type StorePlan } from '../flow/plan-store.ts'
import { SluiceError } from '../kit/errors.ts'
import type { Json, JsonObject } from '../kit/json.ts'
import type { Log } from '../kit/log.ts'
import type { UpsertEngine } from './engine.ts'
import { checkForm } from './gather.ts'
import type { Performer, Prepared } from './performer.ts'
import type { UpsertWork } from './run.ts'

/** What a request to upsert asks of a flow. */
export type UpsertRequest = {
  overrides: JsonObject
  stopNodeId?: string | undefined
  uploads?: readonly UploadedFile[] | undefined
  /** The conversation that alone finds what is loaded. */
  chatId?: string | undefined
}

/** The flow as it was when the request came: whoever edits it meanwhile does not change what is under way. */
type Content = {
  flow: { id: string; flowData: string; apiConfig: Json }
  overrides: JsonObject
  stopNodeId?: string | undefined
  uploading: boolean
  chatId?: string | undefined
}

export type UpsertJobs = Performer & {
  /** Looks at a request as its run will. @throws SluiceError why the flow cannot do this */
  prepare(
    flow: FlowSource,
    request: UpsertRequest,
  ): Prepared & { plan: StorePlan & Pick<UpsertWork, 'conversation'> }
}

export type UpsertJobsOptions = PlanContext & {
  engine: UpsertEngine
  findFlow(id: string): Promise<FlowSource | undefined>
  log: Log
}

/** Upserts as jobs: a request becomes a plan twice, when it comes and when it is its turn. */
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
      const prepared = prepareContent({ flow, overrides, stopNodeId, uploading, chatId })
      checkForm(prepared.plan.part.loaders, uploading ? uploads : undefined)
      return prepared
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
    /** Whoever tries a failed job again has mended what was wrong with the flow: it is taken as it is now. */
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
