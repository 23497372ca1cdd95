import { z } from 'zod'
import { JOB_STATES, NODE_STEPS } from '../contract/job.ts'
import { count, moment } from './json.ts'

const stepTimes = z.object(
  Object.fromEntries(NODE_STEPS.map((step) => [step, count])) as Record<
    (typeof NODE_STEPS)[number],
    typeof count
  >,
)

/** Figures of one flow, or of all. */
export const statsShape = z.object({
  sizes: z.array(z.object({ date: moment, chunks: count })),
  upserts: z.array(
    z.object({
      jobId: z.string(),
      flowId: z.string(),
      state: z.enum(JOB_STATES),
      finishedAt: moment,
      ms: count,
      steps: stepTimes,
    }),
  ),
  /** The chunks that readers do not see. */
  invisible: z.object({ unswept: count, restorable: count, bytes: count }),
  queries: z.array(
    z.object({ hour: moment, queries: count, p50: z.number().min(0), p95: z.number().min(0) }),
  ),
})
export type StatsAnswer = z.output<typeof statsShape>
