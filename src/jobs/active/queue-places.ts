import type { JobRecord } from '../../contract/job.ts'

/**
 * The place of each waiting job in the queue, from 1: the order in which they would begin if no other came and none ended. Owners take
 * turns, so a job waits for the earlier ones of its owner, and of another owner for as many as that one is ahead of. The same on every
 * member that knows the same jobs.
 *
 * @param open the queued and running jobs, in the order of their arrival
 */
export function queuePlaces(open: Iterable<Pick<JobRecord, 'id' | 'owner' | 'state'>>): Map<string, number> {
  const jobs = [...open]
  /** How many jobs of an owner begin before its next one, or have begun. */
  const ahead = new Map<string, number>()
  const count = (owner: string) => {
    const before = ahead.get(owner) ?? 0
    ahead.set(owner, before + 1)
    return before
  }
  for (const { owner, state } of jobs) if (state === 'running') count(owner)
  const waiting = jobs.flatMap(({ id, owner, state }) =>
    state === 'queued' ? [{ id, round: count(owner) }] : [],
  )
  // The sort is stable: of one round the job that came first begins first.
  return new Map(waiting.sort((a, b) => a.round - b.round).map(({ id }, at) => [id, at + 1]))
}
