import type { EndState, JobState } from '../contract/job.ts'

/** Whether a job changes no more. */
export const hasEnded = (state: JobState): state is EndState => state !== 'queued' && state !== 'running'
