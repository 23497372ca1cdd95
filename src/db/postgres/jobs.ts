import type { JobStore } from '../../contract/job.ts'
import { sweepJobs, recoverLostJobs, retryJob } from '../repositories/job-retries.ts'
import { jobStore } from '../repositories/jobs.ts'
import type { PostgresDatabase } from './database.ts'

/** The jobs of all members. */
export function postgresJobStore({ transaction, sql }: PostgresDatabase): JobStore {
  return {
    ...jobStore(sql, async (work) => void (await work())),
    retry: (id, payload) =>
      transaction(async (session) => {
        const job = await retryJob.run(session, { id, payload })
        if (job) await session.run('UPDATE jobs SET cancel_asked = false WHERE id = ?', id)
        return job
      }),
    // Jobs of namespaces whose lease a member has are running.
    recover: () =>
      transaction((session) =>
        recoverLostJobs(session, 'NOT EXISTS (SELECT 1 FROM lanes WHERE lanes.lane = jobs.lane)'),
      ),
    sweep: (retention) =>
      transaction(async (session) => {
        // Who comes after so long counts as never served.
        for (const table of ['owner_turns', 'flow_turns'])
          await session.run(`DELETE FROM ${table} WHERE served_at < clock_timestamp() - interval '1 day'`)
        return sweepJobs.run(session, retention)
      }),
  }
}
