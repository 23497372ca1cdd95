import type { FlowHead, LastUpsert } from '../../contract/flow-store.ts'
import type { JobState } from '../../contract/job.ts'
import type { JsonObject } from '../../kit/json.ts'
import type { Row } from './connection.ts'

/** The flows without their drawings, each with its newest job and its newest row of the history. */
export const HEADS = `
  SELECT id, slug, name, type, api_key_id, created_at, updated_at, revision, config ->> '$.category' AS category,
    (SELECT json_object('jobId', jobs.id, 'state', state, 'at', coalesce(finished_at, jobs.created_at), 'error', json(error))
     FROM jobs WHERE flow_id = flows.id AND kind = 'upsert' ORDER BY seq DESC LIMIT 1) AS job,
    (SELECT json_object('at', date, 'error', result -> '$.error')
     FROM upsert_history WHERE flow_id = flows.id ORDER BY date DESC LIMIT 1) AS past
  FROM flows WHERE deleted_at IS NULL ORDER BY updated_at DESC, id`

export const headFromRow = (row: Row): FlowHead => ({
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
