/**
 * The first schema.
 *
 * - A *passage* is a text, once per index. The built-in vector engine has its vector in `vectors`. `passage_hashes` finds it by
 *   the hash of its text; see `passage-hashes.ts`. No foreign key leads from passages to their index, since that would need
 *   an index over passages.
 * - A *segment* says which of some passages hold which terms, in pages that are ordered by term; see `text-segments.ts` and
 *   `keyword/page.ts`.
 * - A *chunk* is a passage in a source, with metadata. Readers see it when the run that staged it (`born`) is published and no
 *   published run has removed it (`died`). `point` is its id in a separate vector engine; null in the built-in one.
 *   `text_start` and `text_end` are the range of its words in the extracted text of the source, in UTF-16 code units.
 * - A *vector image* is the file with a copy of the vectors of an index, see `vector-images.ts`; `gone_passages` are those
 *   that a sweep has removed since then: float64 numbers, with the last published run.
 * - A *flow* with `deleted_at` is hidden and can be restored; `deleted_namespaces` are the namespaces that it used, as JSON.
 * - A *source* counts the `chunks` that readers see of it. `bytes` is the size of its file, `characters` the length of its
 *   extracted text, `job` the last job that read it. Where `removed_run` is set, that run has removed all of its chunks, and
 *   until `removed_until` they can be restored; chunks that `died` in run 0 were removed and cannot be restored.
 *   `original` is the id of its kept file, and `original_type` the type of that.
 * - A *run* is one upsert: readers see what it writes from the moment that its state is `published`.
 * - An *index* is what a namespace holds while it is `live`. One that is `building` takes the place of the one it `replaces`
 *   when it is published; one that is `retired` is deleted soon; one that is `deleted` belongs to the deleted flow
 *   `deleted_flow` and had the name `deleted_namespace`. None of them has the name of a namespace. `engine` is the vector
 *   engine that has its points.
 * - The *receipt* of a run is the result of its job, until the row of the job has it.
 * - A *job* is a request that is worked on apart from its connection; `request` is sealed, `folder` names its uploads, `lane`
 *   is its namespace, `turn` counts its changes of state.
 * - A *chat message* is a question or an answer of a session; a question is `answered` once its answer is stored.
 * - A `checksum` is of the content of its row, see `contents.ts`.
 *
 * Ids of indexes and chunks are never used twice: images in memory have the id of their index as key, and the chunks of a run
 * are read from `first_chunk` on, the first free id when the run began; its passages begin at `first_passage`.
 */
export const FIRST_SCHEMA = `
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

  CREATE TABLE indexes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    namespace TEXT NOT NULL UNIQUE,
    embedder TEXT NOT NULL,
    dimensions INTEGER,
    chunks INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'live' CHECK (state IN ('live', 'building', 'retired', 'deleted')),
    replaces INTEGER,
    engine TEXT NOT NULL DEFAULT 'built-in',
    deleted_flow TEXT,
    deleted_namespace TEXT
  ) STRICT;

  CREATE TABLE runs (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    index_id INTEGER NOT NULL REFERENCES indexes (id) ON DELETE CASCADE,
    state TEXT NOT NULL CHECK (state IN ('open', 'published', 'abandoned')),
    first_chunk INTEGER NOT NULL,
    started_at INTEGER NOT NULL,
    published_at INTEGER,
    job TEXT,
    receipt TEXT,
    first_passage INTEGER
  ) STRICT;
  CREATE INDEX runs_by_index ON runs (index_id, seq);
  CREATE INDEX runs_unpublished ON runs (state) WHERE state <> 'published';

  CREATE TABLE sources (
    id INTEGER PRIMARY KEY,
    index_id INTEGER NOT NULL REFERENCES indexes (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    chunks INTEGER NOT NULL DEFAULT 0,
    bytes INTEGER,
    characters INTEGER,
    job TEXT,
    removed_run INTEGER,
    removed_until INTEGER,
    original TEXT,
    original_type TEXT,
    UNIQUE (index_id, name)
  ) STRICT;
  CREATE INDEX sources_by_original ON sources (original) WHERE original IS NOT NULL;
  CREATE TABLE gone_originals (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  CREATE TRIGGER original_replaced AFTER UPDATE OF original ON sources
    WHEN OLD.original IS NOT NULL AND OLD.original IS NOT NEW.original
    BEGIN INSERT OR IGNORE INTO gone_originals VALUES (OLD.original); END;
  CREATE TRIGGER original_removed AFTER DELETE ON sources WHEN OLD.original IS NOT NULL
    BEGIN INSERT OR IGNORE INTO gone_originals VALUES (OLD.original); END;
  CREATE INDEX sources_removed ON sources (removed_run) WHERE removed_run IS NOT NULL;

  CREATE TABLE files (
    index_id INTEGER NOT NULL REFERENCES indexes (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    chunks INTEGER NOT NULL,
    PRIMARY KEY (index_id, name)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE passages (
    id INTEGER PRIMARY KEY,
    index_id INTEGER NOT NULL,
    hash TEXT NOT NULL,
    content TEXT NOT NULL
  ) STRICT;

  CREATE TABLE passage_hashes (
    index_id INTEGER NOT NULL REFERENCES indexes (id) ON DELETE CASCADE,
    level INTEGER NOT NULL,
    hash TEXT NOT NULL,
    passage_id INTEGER NOT NULL,
    PRIMARY KEY (index_id, level, hash)
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER passage_removed AFTER DELETE ON passages
    BEGIN DELETE FROM passage_hashes WHERE index_id = OLD.index_id AND level IN (0, 1, 2) AND hash = OLD.hash; END;

  CREATE TABLE vectors (
    passage_id INTEGER PRIMARY KEY REFERENCES passages (id) ON DELETE CASCADE,
    vector BLOB NOT NULL,
    checksum INTEGER
  ) STRICT;

  CREATE TABLE chunks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    source_id INTEGER NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
    passage_id INTEGER NOT NULL REFERENCES passages (id) ON DELETE CASCADE,
    hash TEXT NOT NULL,
    metadata TEXT NOT NULL,
    metadata_hash TEXT NOT NULL,
    born INTEGER NOT NULL,
    died INTEGER,
    point TEXT,
    text_start INTEGER,
    text_end INTEGER
  ) STRICT;
  CREATE INDEX chunks_by_source ON chunks (source_id, passage_id);
  CREATE INDEX chunks_by_passage ON chunks (passage_id);
  CREATE INDEX chunks_dead ON chunks (died) WHERE died IS NOT NULL;

  CREATE TABLE vector_images (
    index_id INTEGER PRIMARY KEY REFERENCES indexes (id) ON DELETE CASCADE,
    token TEXT,
    run INTEGER
  ) STRICT;
  CREATE TABLE gone_passages (
    id INTEGER PRIMARY KEY,
    index_id INTEGER NOT NULL REFERENCES indexes (id) ON DELETE CASCADE,
    run INTEGER NOT NULL,
    passages BLOB NOT NULL,
    checksum INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX gone_passages_by_index ON gone_passages (index_id, run);

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
  CREATE UNIQUE INDEX indexes_building ON indexes (replaces) WHERE replaces IS NOT NULL;
  CREATE INDEX runs_by_job ON runs (job) WHERE job IS NOT NULL;

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

  CREATE TABLE text_segments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    index_id INTEGER NOT NULL,
    first_passage INTEGER NOT NULL,
    last_passage INTEGER NOT NULL,
    passages INTEGER NOT NULL,
    gone_count INTEGER NOT NULL,
    terms REAL NOT NULL,
    gone BLOB
  ) STRICT;
  CREATE INDEX text_segments_by_index ON text_segments (index_id, first_passage);
  CREATE INDEX text_segments_by_end ON text_segments (last_passage);

  CREATE TABLE text_segment_bodies (
    segment_id INTEGER PRIMARY KEY,
    runs BLOB NOT NULL,
    classes BLOB NOT NULL,
    filter BLOB NOT NULL,
    checksum INTEGER
  ) STRICT;

  CREATE TABLE text_leftovers (
    segment_id INTEGER PRIMARY KEY,
    index_id INTEGER NOT NULL,
    pages INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE text_pages (
    id INTEGER PRIMARY KEY,
    segment_id INTEGER NOT NULL,
    first_term INTEGER NOT NULL,
    count INTEGER,
    page BLOB NOT NULL,
    checksum INTEGER
  ) STRICT;
  CREATE INDEX text_pages_by_term ON text_pages (segment_id, first_term);

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
  CREATE INDEX chunks_by_point ON chunks (point) WHERE point IS NOT NULL;
`
