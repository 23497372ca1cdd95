/** Jobs, and the history of upserts. */
export const JOBS = `
  CREATE TABLE jobs (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    flow_id text COLLATE "C" NOT NULL,
    kind text NOT NULL,
    state text NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled')),
    turn integer NOT NULL,
    lane text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL,
    started_at bigint,
    finished_at bigint,
    repeat_scope text COLLATE "C",
    repeat_fingerprint text,
    folder text,
    upload_bytes bigint NOT NULL,
    progress text,
    error text,
    description text NOT NULL,
    request text,
    result text,
    files text,
    cancel_asked boolean NOT NULL DEFAULT false
  );
  CREATE INDEX jobs_by_flow ON jobs (flow_id, seq);
  CREATE INDEX jobs_open ON jobs (state, lane, seq) WHERE state IN ('queued', 'running');
  CREATE INDEX jobs_by_end ON jobs (finished_at) WHERE finished_at IS NOT NULL;
  CREATE INDEX jobs_retryable ON jobs (finished_at) WHERE request IS NOT NULL AND finished_at IS NOT NULL;
  CREATE UNIQUE INDEX jobs_repeatable ON jobs (repeat_scope) WHERE repeat_scope IS NOT NULL;

  CREATE TABLE upsert_history (
    id text COLLATE "C" PRIMARY KEY,
    flow_id text COLLATE "C" NOT NULL,
    result text NOT NULL,
    flow_data text NOT NULL,
    date bigint NOT NULL,
    job_id text COLLATE "C"
  );
  CREATE INDEX upsert_history_by_flow ON upsert_history (flow_id, date);
  CREATE INDEX upsert_history_by_job ON upsert_history (job_id) WHERE job_id IS NOT NULL;
`
