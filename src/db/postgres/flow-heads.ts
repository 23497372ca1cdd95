import { jsonOf } from './json-text.ts'

/** The flows without their drawings, each with its newest job and its newest row of the history. */
export const FLOW_HEADS = `
  SELECT id, slug, name, type, api_key_id, created_at, updated_at, revision, ${jsonOf('config')} ->> 'category' AS category,
    (SELECT json_build_object('jobId', jobs.id, 'state', state, 'at', coalesce(finished_at, jobs.created_at),
       'error', error::json, 'failed', progress::json #> '{files,failed}', 'empty', progress::json #> '{files,empty}')::text
     FROM jobs WHERE flow_id = flows.id AND kind = 'upsert' ORDER BY seq DESC LIMIT 1) AS job,
    (SELECT json_build_object('at', date, 'error', ${jsonOf('result')} -> 'error',
       'failed', ${jsonOf('result')} -> 'numFailed', 'empty', ${jsonOf('result')} -> 'numEmpty')::text
     FROM upsert_history WHERE flow_id = flows.id ORDER BY date DESC LIMIT 1) AS past
  FROM flows WHERE deleted_at IS NULL ORDER BY updated_at DESC, id`
