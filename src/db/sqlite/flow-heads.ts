/** The flows without their drawings, each with its newest job and its newest row of the history. */
export const HEADS = `
  SELECT id, slug, name, type, api_key_id, created_at, updated_at, revision, config ->> '$.category' AS category,
    (SELECT json_object('jobId', jobs.id, 'state', state, 'at', coalesce(finished_at, jobs.created_at),
       'error', json(error), 'failed', progress -> '$.files.failed', 'empty', progress -> '$.files.empty')
     FROM jobs WHERE flow_id = flows.id AND kind = 'upsert' ORDER BY seq DESC LIMIT 1) AS job,
    (SELECT json_object('at', date, 'error', result -> '$.error', 'failed', result -> '$.numFailed',
       'empty', result -> '$.numEmpty')
     FROM upsert_history WHERE flow_id = flows.id ORDER BY date DESC LIMIT 1) AS past
  FROM flows WHERE deleted_at IS NULL ORDER BY updated_at DESC, id`
