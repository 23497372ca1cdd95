import type { JobStore } from '../contract/job.ts'

/** Files of runs that have ended are settled after an hour: their rows are committed, or never will be. */
const HOUR_MS = 3_600_000

/** By how much the clock of a bucket may differ from that of a database, in milliseconds. */
const CLOCKS_MS = 600_000

/** How many running jobs are read at a time. */
const PAGE = 500

/**
 * The moment before which no file belongs to a run that is still open, in ms since 1970: an hour ago, or before the start of the
 * oldest upsert that runs on any member.
 */
export async function settledBefore(jobs: Pick<JobStore, 'list'>, now: number): Promise<number> {
  let before = now - HOUR_MS
  for (let offset = 0; ; offset += PAGE) {
    const { rows } = await jobs.list({ state: 'running', kind: 'upsert', offset, limit: PAGE })
    for (const { startedAt } of rows) before = Math.min(before, (startedAt ?? 0) - CLOCKS_MS)
    if (rows.length < PAGE) return before
  }
}
