/**
 * Flows and what is kept with them: settings, keys, credentials, jobs, chats, sessions of the studio, the audit.
 *
 * - A *flow* with `deleted_at` is hidden and can be restored; `deleted_namespaces` are the namespaces that it used, as JSON.
 * - A *job* is a request that is worked on apart from its connection; `request` is sealed, `folder` names its uploads, `lane`
 *   is its namespace, `turn` counts its changes of state.
 * - A *chat message* is a question or an answer of a session; a question is `answered` once its answer is stored.
 */
export const PLATFORM_TABLES = `
  CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE flows (
    id TEXT PRIMARY KEY,
    slug TEXT NOT NULL,
    name TEXT NOT NULL,
    type TEXT NOT NULL,
    flow_data TEXT NOT NULL,
    config TEXT NOT NULL,
    api_key_id TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    checksum INTEGER,
    revision INTEGER NOT NULL DEFAULT 1,
    deleted_at INTEGER,
    deleted_namespaces TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX flows_by_slug ON flows (slug) WHERE deleted_at IS NULL;
  CREATE INDEX flows_deleted ON flows (deleted_at) WHERE deleted_at IS NOT NULL;

  CREATE TABLE api_keys (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    hash BLOB NOT NULL UNIQUE,
    scopes TEXT NOT NULL,
    flows TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    last_used_at INTEGER
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE upsert_history (
    id TEXT PRIMARY KEY,
    flow_id TEXT NOT NULL,
    result TEXT NOT NULL,
    flow_data TEXT NOT NULL,
    date INTEGER NOT NULL,
    job_id TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX upsert_history_by_flow ON upsert_history (flow_id, date);
  CREATE INDEX upsert_history_by_job ON upsert_history (job_id) WHERE job_id IS NOT NULL;

  CREATE TABLE jobs (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    flow_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled')),
    turn INTEGER NOT NULL,
    lane TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    started_at INTEGER,
    finished_at INTEGER,
    repeat_scope TEXT,
    repeat_fingerprint TEXT,
    folder TEXT,
    upload_bytes INTEGER NOT NULL,
    progress TEXT,
    error TEXT,
    description TEXT NOT NULL,
    request TEXT,
    result TEXT,
    files TEXT
  ) STRICT;
  CREATE INDEX jobs_by_flow ON jobs (flow_id);
  CREATE INDEX jobs_open ON jobs (state) WHERE state IN ('queued', 'running');
  CREATE INDEX jobs_by_end ON jobs (finished_at) WHERE finished_at IS NOT NULL;
  CREATE INDEX jobs_retryable ON jobs (finished_at) WHERE request IS NOT NULL AND finished_at IS NOT NULL;
  CREATE UNIQUE INDEX jobs_repeatable ON jobs (repeat_scope) WHERE repeat_scope IS NOT NULL;

  CREATE TABLE credentials (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    sealed TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    last_used_at INTEGER
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE chat_messages (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    flow_id TEXT NOT NULL REFERENCES flows (id) ON DELETE CASCADE,
    chat_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    owner TEXT,
    role TEXT NOT NULL CHECK (role IN ('userMessage', 'apiMessage')),
    answered INTEGER NOT NULL,
    content TEXT NOT NULL,
    chat_type TEXT NOT NULL,
    memory_type TEXT,
    details TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    checksum INTEGER
  ) STRICT;
  CREATE INDEX chat_messages_by_session ON chat_messages (flow_id, session_id);
  CREATE INDEX chat_messages_by_chat ON chat_messages (flow_id, chat_id);

  CREATE TABLE chat_files (
    id TEXT PRIMARY KEY,
    message_id TEXT NOT NULL REFERENCES chat_messages (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    mime TEXT NOT NULL,
    content BLOB NOT NULL,
    checksum INTEGER
  ) STRICT;
  CREATE INDEX chat_files_by_message ON chat_files (message_id);

  CREATE TABLE chat_feedback (
    id TEXT PRIMARY KEY,
    flow_id TEXT NOT NULL REFERENCES flows (id) ON DELETE CASCADE,
    chat_id TEXT NOT NULL,
    message_id TEXT NOT NULL UNIQUE REFERENCES chat_messages (id) ON DELETE CASCADE,
    rating TEXT NOT NULL,
    content TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX chat_feedback_by_flow ON chat_feedback (flow_id);

  CREATE TABLE leads (
    id TEXT PRIMARY KEY,
    flow_id TEXT NOT NULL REFERENCES flows (id) ON DELETE CASCADE,
    chat_id TEXT NOT NULL,
    name TEXT,
    email TEXT,
    phone TEXT,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX leads_by_flow ON leads (flow_id, created_at);

  CREATE TABLE variables (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL CHECK (type IN ('static', 'runtime')),
    value TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE paused_runs (
    id TEXT PRIMARY KEY,
    flow_id TEXT NOT NULL REFERENCES flows (id) ON DELETE CASCADE,
    session_id TEXT NOT NULL,
    node_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    state TEXT NOT NULL,
    UNIQUE (flow_id, session_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE audit (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    caller TEXT NOT NULL,
    key_id TEXT,
    method TEXT NOT NULL,
    route TEXT NOT NULL,
    object TEXT,
    status INTEGER NOT NULL,
    code TEXT,
    address TEXT NOT NULL,
    times INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE executions (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    flow_id TEXT NOT NULL,
    question_id TEXT NOT NULL REFERENCES chat_messages (id) ON DELETE CASCADE,
    chat_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    state TEXT NOT NULL,
    nodes TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX executions_by_session ON executions (flow_id, session_id);
  CREATE INDEX executions_by_question ON executions (question_id);
  CREATE INDEX executions_by_age ON executions (updated_at);

  CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    token_hash BLOB NOT NULL UNIQUE,
    previous_hash BLOB UNIQUE,
    key_id TEXT,
    created_at INTEGER NOT NULL,
    used_at INTEGER NOT NULL,
    rotated_at INTEGER NOT NULL,
    confirmed_at INTEGER
  ) STRICT;

  CREATE TABLE sign_in_codes (hash BLOB PRIMARY KEY, expires_at INTEGER NOT NULL) STRICT;

  CREATE TABLE flow_revisions (
    id INTEGER PRIMARY KEY,
    flow_id TEXT NOT NULL REFERENCES flows (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    saved_at INTEGER NOT NULL,
    saved_by TEXT NOT NULL,
    changes TEXT NOT NULL,
    slug TEXT NOT NULL,
    name TEXT NOT NULL,
    type TEXT NOT NULL,
    flow_data TEXT NOT NULL,
    config TEXT NOT NULL,
    checksum INTEGER,
    api_key_id TEXT,
    UNIQUE (flow_id, number)
  ) STRICT;
`
