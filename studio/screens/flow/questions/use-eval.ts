import { useFollowedJob } from '../../../parts/use-followed-job.ts'
import { hasEnded, type Job } from '../../../server/jobs.ts'
import { openEval, startEval } from '../../../server/questions.ts'

export type EvalWork = {
  /** The eval that was begun or found here, as it is now; undefined where there is none. */
  job: Job | undefined
  isRunning: boolean
  /** Why it could not begin. */
  refusal: string | undefined
  start(): Promise<void>
  cancel(): void
}

/** Follows the eval of a flow that runs, and begins one when it is told to. @param onEnd called when one has ended */
export function useEval(flow: string, onEnd: () => void): EvalWork {
  const { job, isStarting, refusal, start, cancel } = useFollowedJob({ find: () => openEval(flow), onEnd })
  return {
    ...{ job, refusal, cancel },
    isRunning: isStarting || (job !== undefined && !hasEnded(job)),
    start: () => start(() => startEval(flow)),
  }
}
