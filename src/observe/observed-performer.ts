import type { JobKind } from '../contract/job.ts'
import type { JsonObject } from '../kit/json.ts'
import type { Performer } from '../upsert/performer.ts'
import { codeOf } from './code-of.ts'
import { CHUNK_OUTCOMES, type PlatformMetrics } from './platform-metrics.ts'
import { secondsSince } from './seconds.ts'

/** The states that a failure means, by its code. A job that was interrupted by the end of the process continues later. */
const STATES: Readonly<Record<string, string>> = { cancelled: 'cancelled', stopping: 'interrupted' }

/** The same work, measured. A dry run changes no chunks. */
export const observedPerformer = (
  kind: JobKind,
  performer: Performer,
  metrics: PlatformMetrics,
): Performer => ({
  ...performer,
  async run(request, task) {
    const startedAt = performance.now()
    let state = 'failed'
    try {
      const result = await performer.run(request, task)
      state = 'done'
      if (kind === 'upsert') countResult(result, metrics)
      return result
    } catch (error) {
      const reason: unknown = task.signal.aborted ? task.signal.reason : error
      state = STATES[codeOf(reason)] ?? 'failed'
      throw error
    } finally {
      metrics.jobs.observe(secondsSince(startedAt), kind, state)
    }
  },
})

/** Counts the chunks of an upsert that was published. */
export function countResult(result: JsonObject, metrics: PlatformMetrics): void {
  for (const [outcome, field] of Object.entries(CHUNK_OUTCOMES))
    metrics.chunks.add(Number(result[field] ?? 0), outcome)
  metrics.failedFiles.add(Number(result.numFailed ?? 0))
}
