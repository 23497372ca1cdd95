import type { FateShelf } from '../contract/dry-run.ts'
import type { FlowSource } from '../flow/apply-request.ts'
import { drawingChanges } from '../flow/drawing-changes.ts'
import { keepsOriginals } from '../flow/settings/keeps-originals.ts'
import { randomId } from '../kit/hash.ts'
import type { JsonObject } from '../kit/json.ts'
import type { Performer, Prepared } from '../jobs/performer.ts'
import { embeddingPrice } from './embedding-price.ts'
import {
  logFacts,
  type PlannedUpsert,
  type UpsertContent,
  type UpsertJobRequest,
  type UpsertJobsOptions,
  upsertPlans,
} from './upsert-job.ts'

export type DryRunJobs = Performer & {
  /** Checks a request in the same way as its run does. @throws SluiceError as `planUpsert` does */
  prepare(flow: FlowSource, request: UpsertJobRequest, what: DryRunKind): Prepared
}

export type DryRunKind = {
  /** Whether the drawing of the flow is not the live one: a retry then uses the same drawing again. */
  draft: boolean
  /** Whether it reads what was loaded with other settings, from kept files and with loaders that find theirs, instead of uploads. */
  refresh?: boolean | undefined
}

/** Upserts that embed and store nothing. Each one lists the fates of its chunks. */
export function dryRunJobs(
  options: UpsertJobsOptions & { fates: FateShelf; prices?: readonly string[] },
): DryRunJobs {
  const { engine, fates, log, catalog, findFlow, originals, prices = [] } = options
  const { contentOf, planOf, prepare, readingOf, renew } = upsertPlans(options)
  const factsOf = logFacts(options)

  /** A dry run needs no lease of its namespace, so it gets one that no other job has. */
  const prepared = ({ plan: _, ...rest }: Prepared & { plan: PlannedUpsert }): Prepared => ({
    ...rest,
    namespace: `dry-run:${randomId()}`,
  })

  /** What a drawing does otherwise than the live one; a flow that is gone meanwhile has none. */
  async function changesOf({ draft, flow }: UpsertContent) {
    const live = draft ? await findFlow(flow.id) : undefined
    return live ? { changes: drawingChanges(catalog, live.flowData, flow.flowData) } : {}
  }

  return {
    prepare: (flow, request, { draft, refresh }) =>
      prepared(
        prepare({
          ...contentOf(flow, request),
          ...(draft ? { draft } : {}),
          ...(refresh ? { refresh } : {}),
        }),
      ),
    async run(request, { jobId, uploads, signal, onProgress, onFiles }) {
      const content = request as unknown as UpsertContent
      const plan = planOf(content, true)
      const reading = await readingOf(content, plan)
      const list = await fates.open(jobId)
      try {
        const work = {
          ...plan,
          options: { ...plan.options, dryRun: true },
          fates: list,
          onFiles,
          ...(reading ? { reading } : {}),
          // Nothing is kept: a file counts as unchanged only if its upsert would see it so.
          ...(keepsOriginals(content.flow.apiConfig) ? { originals } : {}),
          ...(uploads ? { uploads } : {}),
        }
        const { estimate, ...found } = await engine.upsert(work, signal, onProgress)
        const { texts, tokens } = estimate!
        const result = {
          ...found,
          estimate: { texts, tokens, price: embeddingPrice(prices, plan.part.embedder.id, tokens) },
          ...(await changesOf(content)),
        }
        log.info('dry-run-done', {
          ...(await factsOf(content.flow.id, jobId)),
          files: result.files.length,
          texts,
        })
        return result as unknown as JsonObject
      } finally {
        await list.close()
      }
    },
    renew: async (flowId, request) => prepared(await renew(flowId, request)),
  }
}
