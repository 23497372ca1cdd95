import type { FlowHead, LastUpsert } from '../../contract/flow-store.ts'
import type { JobState } from '../../contract/job.ts'
import type { JsonObject } from '../../kit/json.ts'
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

const failureOf = (error: Failure | null): LastUpsert['error'] =>
  error && { code: error.code, message: error.message }

/** Jobs are kept for some days, the history much longer. */
function lastUpsert(job: string | null, past: string | null): LastUpsert | null {
  if (job !== null) {
    const { jobId, state, at, error } = JSON.parse(job) as JsonObject & { error: Failure | null }
    return { jobId: jobId as string, state: state as JobState, at: at as number, error: failureOf(error) }
  }
  if (past === null) return null
  const { at, error } = JSON.parse(past) as { at: number; error: Failure | null }
  return { jobId: null, state: error ? 'failed' : 'done', at, error: failureOf(error) }
}
