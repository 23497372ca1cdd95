import { describeNodes } from '../flow/describe.ts'
import type { FlowSource } from '../flow/apply-request.ts'
import { planRetrieval } from '../flow/plan-store.ts'
import { SluiceError } from '../kit/errors.ts'
import type { Json, JsonObject } from '../kit/json.ts'
import type { Performer, Prepared } from './performer.ts'
import type { UpsertJobsOptions } from './upsert-job.ts'

/** What a request to reindex asks of a flow. */
export type ReindexRequest = { overrides: JsonObject; stopNodeId?: string | undefined }

/** The flow as it was when the request came. */
type Content = ReindexRequest & { flow: { id: string; flowData: string; apiConfig: Json } }

export type ReindexJobs = Performer & {
  /** Looks at a request as its run will. @throws SluiceError why the flow cannot do this */
  prepare(flow: FlowSource, request: ReindexRequest): Prepared
}

/** Reindexing as a job: what a store holds is embedded anew, by the embedder that the flow has now. */
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
    { overrides, stopNodeId }: ReindexRequest,
  ): Prepared {
    const content: Content = { flow: { id, flowData, apiConfig: apiConfig as Json }, overrides, stopNodeId }
    const plan = planOf(content)
    if (plan.options.dryRun)
      throw new SluiceError('override_invalid', { key: 'dryRun', reason: 'a reindex cannot be tried out' })
    return {
      namespace: plan.part.store.namespace,
      request: content as unknown as JsonObject,
      description: describeNodes(plan.nodes, catalog),
    }
  }

  return {
    prepare,
    async run(request, { jobId, turn, signal, onProgress }) {
      const content = request as unknown as Content
      const { part, warnings } = planOf(content)
      const result = await engine.reindex({ part, warnings, jobId }, signal, onProgress, turn)
      log.info('reindex-done', {
        flow: content.flow.id,
        chunks: result.numChunks,
        embedded: result.numEmbedded,
      })
      return result
    },
    async renew(flowId, request) {
      const flow = await findFlow(flowId)
      if (!flow) throw new SluiceError('flow_not_found', { flow: flowId })
      return prepare(flow, request as unknown as ReindexRequest)
    },
  }
}
