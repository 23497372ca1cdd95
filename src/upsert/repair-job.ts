import { describeNodes } from '../flow/describe.ts'
import type { FlowSource } from '../flow/apply-request.ts'
import { planRetrieval } from '../flow/plan-store.ts'
import { SluiceError } from '../kit/errors.ts'
import { randomId } from '../kit/hash.ts'
import type { Json, JsonObject } from '../kit/json.ts'
import type { Performer, Prepared } from '../jobs/performer.ts'
import { logFacts, type UpsertJobsOptions } from './upsert-job.ts'

/** The parameters of a repair request. */
export type RepairJobRequest = { overrides: JsonObject; stopNodeId?: string | undefined }

/** The stored request, with the flow as it was at the time of the request. */
type Content = RepairJobRequest & { flow: { id: string; slug: string; flowData: string; apiConfig: Json } }

export type RepairJobs = Performer & {
  /**
   * Checks a request in the same way as its run does.
   *
   * @throws SluiceError `no_points` for the built-in store, and as `planRetrieval` does
   */
  prepare(flow: FlowSource, request: RepairJobRequest): Prepared
}

type RepairJobsOptions = UpsertJobsOptions & {
  /** Compares and mends nothing. */
  dryRun: boolean
  /** Whether a job of a namespace is queued or runs. */
  isBusy(namespace: string): boolean
}

const LOADED_MEANWHILE = 'documents are being loaded: what is on its way may be counted as missing or surplus'
const MENDED_BEFORE = 'an earlier attempt has ended early: what it mended is not in these counts'

/** Jobs that compare the points of a separate engine with the ledger, and mend them. */
export function repairJobs({
  engine,
  catalog,
  nodeServices,
  findFlow,
  log,
  dryRun,
  isBusy,
}: RepairJobsOptions): RepairJobs {
  function planOf({ flow, overrides, stopNodeId }: Content) {
    const plan = planRetrieval({ catalog, nodeServices }, flow, { overrides, stopNodeId })
    if (!plan.part.store.compare) throw new SluiceError('no_points', { flow: flow.slug })
    return plan
  }

  function prepare(
    { id, slug, flowData, apiConfig }: FlowSource,
    { overrides, stopNodeId }: RepairJobRequest,
  ): Prepared {
    const flow = { id, slug: slug ?? id, flowData, apiConfig: apiConfig as Json }
    const content: Content = { flow, overrides, stopNodeId }
    const plan = planOf(content)
    return {
      // A comparison needs no lease of its namespace, so it gets one that no other job has.
      namespace: dryRun ? `verify:${randomId()}` : plan.part.store.namespace,
      request: content as unknown as JsonObject,
      description: describeNodes(plan.nodes, catalog),
    }
  }

  return {
    prepare,
    async run(request, { jobId, attempt, lease, signal, onProgress }) {
      const content = request as unknown as Content
      const { part, warnings } = planOf(content)
      const { namespace } = part.store
      const isLoading = dryRun && isBusy(namespace)
      const result = await engine.repair({ part, warnings, dryRun, jobId }, signal, onProgress, lease)
      if (result.numLeft > 0 && (isLoading || (dryRun && isBusy(namespace))))
        result.warnings.push({ key: 'dryRun', reason: LOADED_MEANWHILE })
      if (!dryRun && attempt > 1) result.warnings.push({ key: 'attempt', reason: MENDED_BEFORE })
      log.info(dryRun ? 'verify-done' : 'repair-done', {
        ...(await logFacts({ findFlow })(content.flow.id, jobId)),
        points: result.numPoints,
        written: result.numWritten,
        removed: result.numRemoved,
        embedded: result.numEmbedded,
        left: result.numLeft,
      })
      return result
    },
    async renew(flowId, request) {
      const flow = await findFlow(flowId)
      if (!flow) throw new SluiceError('flow_not_found', { flow: flowId })
      return prepare(flow, request as unknown as RepairJobRequest)
    },
  }
}
