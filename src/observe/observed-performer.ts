import type { JobKind, JobProgress } from '../contract/job.ts'
import type { JsonObject } from '../kit/json.ts'
import type { TraceSpan, Tracer } from '../kit/tracing.ts'
import type { Performer } from '../jobs/performer.ts'
import { codeOf } from './code-of.ts'
import { CHUNK_OUTCOMES, type PlatformMetrics } from './platform-metrics.ts'
import { secondsSince } from './seconds.ts'
import type { Telemetry } from './telemetry.ts'

/** The states that a failure means, by its code. A job that was interrupted by the end of the process continues later. */
const STATES: Readonly<Record<string, string>> = { cancelled: 'cancelled', stopping: 'interrupted' }

/** The same work, measured. A dry run changes no chunks. */
export const observedPerformer = (
  kind: JobKind,
  performer: Performer,
  { metrics, tracer }: Telemetry,
): Performer => ({
  ...performer,
  async run(request, task) {
    const startedAt = performance.now()
    const { traceparent, jobId } = task
    const span = tracer.begin(`job ${kind}`, { traceparent, attributes: { 'sluice.job': jobId } })
    const stages = stageSpans(tracer, span)
    let state = 'failed'
    try {
      const result = await span.within(() =>
        performer.run(request, {
          ...task,
          onProgress(progress) {
            stages.note(progress)
            task.onProgress(progress)
          },
        }),
      )
      state = 'done'
      if (kind === 'upsert') countResult(result, metrics)
      for (const [outcome, field] of Object.entries(CHUNK_OUTCOMES))
        if (typeof result[field] === 'number') span.set({ [`sluice.chunks.${outcome}`]: result[field] })
      return result
    } catch (error) {
      const reason: unknown = task.signal.aborted ? task.signal.reason : error
      state = STATES[codeOf(reason)] ?? 'failed'
      span.set({ 'error.code': codeOf(reason) })
      throw error
    } finally {
      const failure = state === 'done' ? undefined : state
      stages.end(failure)
      span.end(failure)
      metrics.jobs.observe(secondsSince(startedAt), kind, state)
    }
  },
})

/** A span for each stage of a job, one after another. */
function stageSpans(tracer: Tracer, job: TraceSpan) {
  let stage: string | undefined
  let span: TraceSpan | undefined
  return {
    note(progress: JobProgress): void {
      if (progress.stage === stage) return
      span?.end()
      stage = progress.stage
      span = job.within(() => tracer.begin(`stage ${stage}`))
    },
    end: (failure: string | undefined) => span?.end(failure),
  }
}

/** Counts the chunks of an upsert that was published. */
export function countResult(result: JsonObject, metrics: PlatformMetrics): void {
  for (const [outcome, field] of Object.entries(CHUNK_OUTCOMES))
    metrics.chunks.add(Number(result[field] ?? 0), outcome)
  metrics.failedFiles.add(Number(result.numFailed ?? 0))
}
