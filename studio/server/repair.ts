import type { RepairAnswer } from '../../src/api/repair.ts'
import { call } from './call.ts'
import { hasEnded, type Job, listJobs } from './jobs.ts'

/** What a comparison found, and what its repair did. */
export type Repair = Omit<RepairAnswer, 'jobId' | 'timeTaken'>

/** Starts a job that compares the points of a flow with its chunks, and gives its id. @param dryRun mends nothing */
export async function startRepair(flow: string, dryRun: boolean): Promise<string> {
  const path = `/api/v1/vector/repair/${encodeURIComponent(flow)}`
  const query = { async: true, ...(dryRun ? { dryRun } : {}) }
  const { jobId } = await call<{ jobId: string }>(path, { method: 'POST', body: {}, query })
  return jobId
}

/** The repair of a flow that waits or runs; undefined where there is none. */
export async function openRepair(flowId: string): Promise<Job | undefined> {
  const { data } = await listJobs({ flowId, kind: 'repair', page: 1, limit: 1 })
  return data[0] && !hasEnded(data[0]) ? data[0] : undefined
}

/** The result of a job of one of the two kinds; undefined where it has none. */
export const repairOf = ({ kind, result }: Job): Repair | undefined =>
  (kind === 'repair' || kind === 'verify') && result ? (result as unknown as Repair) : undefined
