import type { JobAnswer } from '../api/job.ts'
import type { Json } from '../kit/json.ts'
import { readAnswer } from './read-answer.ts'

export const jobPath = (id: string): string => `jobs/${encodeURIComponent(id)}`

/** Whether a job has ended. A state that this version does not know is not an end. */
export const isOver = ({ state }: JobAnswer): boolean =>
  state === 'done' || state === 'failed' || state === 'cancelled'

/** @throws Failure where it is not a job */
export const readJob = (answer: Json | undefined | Promise<Json>): Promise<JobAnswer & Json> =>
  readAnswer(answer, async () => (await import('../api/job.ts')).jobShape, 'a job')
