/**
 * Answers in progress, of all nodes. Their node writes `seen` once a second, and reads `must_stop`, which any node may set.
 * The index finds executions whose node may be gone.
 */
export const CHAT_RUNS = `
  CREATE TABLE chat_runs (
    id text COLLATE "C" PRIMARY KEY,
    flow_id text COLLATE "C" NOT NULL,
    chat_id text COLLATE "C" NOT NULL,
    owner text,
    must_stop boolean NOT NULL DEFAULT false,
    seen timestamptz NOT NULL DEFAULT clock_timestamp()
  );
  CREATE INDEX chat_runs_by_chat ON chat_runs (flow_id, chat_id);

  CREATE INDEX executions_in_progress ON executions (flow_id, chat_id) WHERE state = 'INPROGRESS';
`
