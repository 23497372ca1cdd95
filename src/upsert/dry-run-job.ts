import type { FateShelf } from '../contract/dry-run.ts'
import type { FlowSource } from '../flow/apply-request.ts'
import { randomId } from '../kit/hash.ts'
import type { JsonObject } from '../kit/json.ts'
import type { Performer, Prepared } from '../jobs/performer.ts'
import {
  logFacts,
  type PlannedUpsert,
  type UpsertContent,
  type UpsertJobRequest,
  type UpsertJobsOptions,
  upsertPlans,
} from './upsert-job.ts'

export type DryRunJobs = Performer & {
  /**
   * Checks a request in the same way as its run does.
   *
   * @param draft whether the drawing of `flow` is not the stored one: a retry then uses the same drawing again
   * @throws SluiceError as `planUpsert` does
   */
  prepare(flow: FlowSource, request: UpsertJobRequest, draft: boolean): Prepared
}

/** Upserts that embed and store nothing. Each one lists the fates of its chunks. */
export function dryRunJobs(options: UpsertJobsOptions & { fates: FateShelf }): DryRunJobs {
  const { engine, fates, log } = options
  const { contentOf, planOf, prepare, renew } = upsertPlans(options)
  const factsOf = logFacts(options)

  /** A dry run needs no lease of its namespace, so it gets one that no other job has. */
  const prepared = ({ plan: _, ...rest }: Prepared & { plan: PlannedUpsert }): Prepared => ({
    ...rest,
    namespace: `dry-run:${randomId()}`,
  })

  return {
    prepare: (flow, request, draft) =>
      prepared(prepare({ ...contentOf(flow, request), ...(draft ? { draft } : {}) })),
    async run(request, { jobId, uploads, signal, onProgress, onFiles }) {
      const plan = planOf(request, true)
      const list = await fates.open(jobId)
      try {
        const work = {
          ...plan,
          options: { ...plan.options, dryRun: true },
          fates: list,
          onFiles,
          ...(uploads ? { uploads } : {}),
        }
        const result = await engine.upsert(work, signal, onProgress)
        log.info('dry-run-done', {
          ...(await factsOf((request as unknown as UpsertContent).flow.id, jobId)),
          files: result.files.length,
          texts: result.estimate!.texts,
        })
        return result as unknown as JsonObject
      } finally {
        await list.close()
      }
    },
    renew: async (flowId, request) => prepared(await renew(flowId, request)),
  }
}
