import type { JobPage, JobRecord } from '../contract/job.ts'
import type { Jobs } from './jobs.ts'

/**
 * The jobs that have not ended: those that run, then those that wait.
 *
 * @param page `limit`: the most of each state
 */
export async function jobsUnderWay(
  jobs: Pick<Jobs, 'list'>,
  page: Omit<JobPage, 'state' | 'offset'>,
): Promise<JobRecord[]> {
  const inState = async (state: 'queued' | 'running') => (await jobs.list({ ...page, state, offset: 0 })).rows
  // In this order: one that begins between the two questions is seen by the second.
  const queued = await inState('queued')
  const running = await inState('running')
  const known = new Set(running.map(({ id }) => id))
  return [...running, ...queued.filter(({ id }) => !known.has(id))]
}
