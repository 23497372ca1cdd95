import type { FlowHead, LastUpsert } from '../../contract/flow-store.ts'
import type { JobState } from '../../contract/job.ts'
import type { StoredRow } from './stored-row.ts'

/** `job` and `past` are JSON texts: its newest job, and its newest row of the history. */
export const headFromRow = (row: StoredRow): FlowHead => ({
  id: row.id as string,
  slug: row.slug as string,
  name: row.name as string,
  type: row.type as string,
  category: row.category as string | null,
  apiKeyId: row.api_key_id as string | null,
  createdAt: row.created_at as number,
  updatedAt: row.updated_at as number,
  revision: row.revision as number,
  lastUpsert: lastUpsert(row.job as string | null, row.past as string | null),
})

type Failure = { code: string; message: string }

/** What the two queries give of a job or of a row of the history. Counts are null where they were not kept. */
type PastUpsert = { at: number; error: Failure | null; failed: number | null; empty: number | null }
type PastJob = PastUpsert & { jobId: string; state: JobState }

/** Jobs are kept for some days, the history much longer. */
function lastUpsert(job: string | null, past: string | null): LastUpsert | null {
  if (job !== null) {
    const { jobId, state, ...rest } = JSON.parse(job) as PastJob
    return { jobId, state, ...factsOf(rest) }
  }
  if (past === null) return null
  const row = JSON.parse(past) as PastUpsert
  return { jobId: null, state: row.error ? 'failed' : 'done', ...factsOf(row) }
}

const factsOf = ({ at, error, failed, empty }: PastUpsert) => ({
  at,
  error: error && { code: error.code, message: error.message },
  failed: failed ?? 0,
  empty: empty ?? 0,
})
