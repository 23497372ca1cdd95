import type { JobRecord } from '../../contract/job.ts'
import type { ActiveJob } from '../active/active-job.ts'

/** The jobs of an owner in a namespace, which run in the order of their arrival. */
const lineOf = ({ namespace, owner }: JobRecord): string => JSON.stringify([namespace, owner])

/**
 * Jobs that wait for something else than their turn, and the later jobs of their owner in their namespace: an older version of a
 * document must not be loaded after a newer one. All others go on.
 *
 * @param open the queued and running jobs, in the order of their arrival
 */
export function createHeldJobs(open: () => Iterable<ActiveJob>) {
  const held = new Set<string>()
  /** Goes on with a job that waits here. */
  const waiting = new Map<ActiveJob, () => void>()
  /** Takes a job out of the queue of its namespace. */
  const tickets = new Map<ActiveJob, AbortController>()

  function release(line?: string): void {
    const lines = line === undefined ? [...held] : [line]
    for (const one of lines) held.delete(one)
    for (const job of open()) if (lines.includes(lineOf(job.record))) waiting.get(job)?.()
  }

  return {
    /** Holds the line of a job. Its jobs leave the queue of its namespace. */
    hold({ record }: ActiveJob): void {
      const line = lineOf(record)
      held.add(line)
      for (const [job, ticket] of tickets) if (lineOf(job.record) === line) ticket.abort()
    },

    /** All go on, in the order of their arrival. */
    release: () => release(),

    /**
     * Calls `take` once the line of a job is not held, with a signal that aborts where it is held before the job has its turn.
     *
     * @throws what `take` throws; the reason of the job where that is stopped
     */
    async whenFree<T>(job: ActiveJob, take: (signal: AbortSignal) => Promise<T>): Promise<T> {
      const line = lineOf(job.record)
      while (held.has(line)) {
        const go = Promise.withResolvers<void>()
        // Who waits behind a job that is cancelled may not have to wait any more.
        const leave = () => release(line)
        job.signal.addEventListener('abort', leave, { once: true })
        waiting.set(job, go.resolve)
        await go.promise
        waiting.delete(job)
        job.signal.removeEventListener('abort', leave)
        job.signal.throwIfAborted()
      }
      const ticket = new AbortController()
      tickets.set(job, ticket)
      try {
        return await take(AbortSignal.any([job.signal, ticket.signal]))
      } finally {
        if (tickets.get(job) === ticket) tickets.delete(job)
      }
    },

    /** The job has begun: it leaves no queue any more. */
    begin: (job: ActiveJob): void => void tickets.delete(job),
  }
}
