import type { FlowHead, LastUpsert } from '../../contract/flow-store.ts'
import type { JobState } from '../../contract/job.ts'
import type { StoredRow } from './stored-row.ts'

/** A flow with its newest job, and its newest row of the history. */
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
  lastUpsert: lastUpsert(row),
})

type Failure = { code: string; message: string }

/** Jobs are kept for some days, the history much longer. */
function lastUpsert(row: StoredRow): LastUpsert | null {
  if (row.job !== null) {
    const facts = factsOf(row.job_at, row.error, row.job_failed, row.job_empty)
    return { jobId: row.job as string, state: row.state as JobState, ...facts }
  }
  if (row.date === null) return null
  const facts = factsOf(row.date, row.past_error, row.past_failed, row.past_empty)
  return { jobId: null, state: facts.error ? 'failed' : 'done', ...facts }
}

/** Counts are null where they were not kept; PostgreSQL gives those of JSON as texts. */
function factsOf(at: unknown, failure: unknown, failed: unknown, empty: unknown) {
  const error = failure === null ? null : (JSON.parse(failure as string) as Failure | null)
  return {
    at: at as number,
    error: error && { code: error.code, message: error.message },
    failed: Number(failed ?? 0),
    empty: Number(empty ?? 0),
  }
}
