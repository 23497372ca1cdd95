import { describeNodes } from '../flow/describe.ts'
import type { FlowSource } from '../flow/apply-request.ts'
import { planRetrieval } from '../flow/plan-store.ts'
import { SluiceError } from '../kit/errors.ts'
import type { Json, JsonObject } from '../kit/json.ts'
import type { Performer, Prepared } from '../jobs/performer.ts'
import { logFacts, type UpsertJobsOptions } from './upsert-job.ts'

/** The parameters of a reindex request. */
export type ReindexJobRequest = { overrides: JsonObject; stopNodeId?: string | undefined }

/** The stored request, with the flow as it was at the time of the request. */
type Content = ReindexJobRequest & { flow: { id: string; flowData: string; apiConfig: Json } }

export type ReindexJobs = Performer & {
  /** Checks a request in the same way as its run does. @throws SluiceError as `planRetrieval` does */
  prepare(flow: FlowSource, request: ReindexJobRequest): Prepared
}

/** Reindex jobs: all chunks of a store are embedded again, by the embedder that the flow has now. */
export function reindexJobs({
  engine,
  catalog,
  nodeServices,
  findFlow,
  log,
}: UpsertJobsOptions): ReindexJobs {
  const planOf = ({ flow, overrides, stopNodeId }: Content) =>
    planRetrieval({ catalog, nodeServices }, flow, { overrides, stopNodeId })

  function prepare(
    { id, flowData, apiConfig }: FlowSource,
    { overrides, stopNodeId }: ReindexJobRequest,
  ): Prepared {
    const content: Content = { flow: { id, flowData, apiConfig: apiConfig as Json }, overrides, stopNodeId }
    const plan = planOf(content)
    if (plan.options.dryRun)
      throw new SluiceError('override_invalid', { key: 'dryRun', reason: 'a reindex has no dry run' })
    return {
      namespace: plan.part.store.namespace,
      request: content as unknown as JsonObject,
      description: describeNodes(plan.nodes, catalog),
    }
  }

  return {
    prepare,
    async run(request, { jobId, lease, signal, onProgress }) {
      const content = request as unknown as Content
      const { part, warnings } = planOf(content)
      const result = await engine.reindex({ part, warnings, jobId }, signal, onProgress, lease)
      log.info('reindex-done', {
        ...(await logFacts({ findFlow })(content.flow.id, jobId)),
        chunks: result.numChunks,
        embedded: result.numEmbedded,
      })
      return result
    },
    async renew(flowId, request) {
      const flow = await findFlow(flowId)
      if (!flow) throw new SluiceError('flow_not_found', { flow: flowId })
      return prepare(flow, request as unknown as ReindexJobRequest)
    },
  }
}
