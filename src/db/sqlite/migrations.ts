import { SluiceError } from '../../kit/errors.ts'
import type { Connection } from './connection.ts'

/**
 * The schema, one step a row; a step that has shipped is never edited, only followed by another.
 *
 * - A *passage* is a text, once per index, with its vector.
 * - A *segment* tells which of some passages hold which terms, in pages that are ordered by term; see
 *   `text-segments.ts` and `keyword/page.ts`. `text_backlog` names what an earlier text index is still to give.
 * - A *chunk* is a passage in a source, with metadata: the record of what the source holds. It is visible when the
 *   run that wrote it (`born`) is published and no published run removed it (`died`).
 * - A *run* is one upsert: what it writes stays invisible until its row says `published`.
 * - An *index* is what a namespace holds while it is `live`. One that is `building` will take the place of the one it
 *   `replaces`; one that is `retired` waits to be deleted. Neither has the name of a namespace.
 * - The *receipt* of a run is what came of its job, until the job itself says so.
 * - A *job* is a request that is worked on apart from its connection; `request` is sealed, `folder` names its uploads.
 * - A *chat message* is a question or an answer of a session; a question is `answered` once its answer is stored.
 * - A `checksum` is of the content of its row, see `contents.ts`; null in rows of versions without one.
 *
 * Ids of indexes and chunks are never given twice: search images go by the former, and the chunks of a run are looked
 * for from the `first_chunk` on that was free when it began; its passages begin at `first_passage`.
 */
const STEPS = [
  `
  CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE flows (
    id TEXT PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    type TEXT NOT NULL,
    flow_data TEXT NOT NULL,
    config TEXT NOT NULL,
    api_key_id TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE api_keys (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    hash BLOB NOT NULL UNIQUE,
    scopes TEXT NOT NULL,
    flows TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE indexes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    namespace TEXT NOT NULL UNIQUE,
    embedder TEXT NOT NULL,
    dimensions INTEGER,
    chunks INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE runs (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    index_id INTEGER NOT NULL REFERENCES indexes (id) ON DELETE CASCADE,
    state TEXT NOT NULL CHECK (state IN ('open', 'published', 'abandoned')),
    first_chunk INTEGER NOT NULL,
    started_at INTEGER NOT NULL,
    published_at INTEGER
  ) STRICT;
  CREATE INDEX runs_by_index ON runs (index_id, seq);
  CREATE INDEX runs_unpublished ON runs (state) WHERE state <> 'published';

  CREATE TABLE sources (
    id INTEGER PRIMARY KEY,
    index_id INTEGER NOT NULL REFERENCES indexes (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (index_id, name)
  ) STRICT;

  CREATE TABLE files (
    index_id INTEGER NOT NULL REFERENCES indexes (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    chunks INTEGER NOT NULL,
    PRIMARY KEY (index_id, name)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE passages (
    id INTEGER PRIMARY KEY,
    index_id INTEGER NOT NULL REFERENCES indexes (id) ON DELETE CASCADE,
    hash TEXT NOT NULL,
    content TEXT NOT NULL,
    UNIQUE (index_id, hash)
  ) STRICT;

  CREATE TABLE vectors (
    passage_id INTEGER PRIMARY KEY REFERENCES passages (id) ON DELETE CASCADE,
    vector BLOB NOT NULL
  ) STRICT;

  CREATE TABLE chunks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    source_id INTEGER NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
    passage_id INTEGER NOT NULL REFERENCES passages (id) ON DELETE CASCADE,
    hash TEXT NOT NULL,
    metadata TEXT NOT NULL,
    metadata_hash TEXT NOT NULL,
    born INTEGER NOT NULL,
    died INTEGER
  ) STRICT;
  CREATE INDEX chunks_by_source ON chunks (source_id, passage_id);
  CREATE INDEX chunks_by_passage ON chunks (passage_id);
  CREATE INDEX chunks_dead ON chunks (died) WHERE died IS NOT NULL;

  CREATE TABLE upsert_history (
    id TEXT PRIMARY KEY,
    flow_id TEXT NOT NULL,
    result TEXT NOT NULL,
    flow_data TEXT NOT NULL,
    date INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX upsert_history_by_flow ON upsert_history (flow_id, date);
  `,
  `
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
    result TEXT
  ) STRICT;
  CREATE INDEX jobs_by_flow ON jobs (flow_id);
  CREATE INDEX jobs_open ON jobs (state) WHERE state IN ('queued', 'running');
  CREATE INDEX jobs_by_end ON jobs (finished_at) WHERE finished_at IS NOT NULL;
  CREATE INDEX jobs_retryable ON jobs (finished_at) WHERE request IS NOT NULL AND finished_at IS NOT NULL;
  CREATE UNIQUE INDEX jobs_repeatable ON jobs (repeat_scope) WHERE repeat_scope IS NOT NULL;
  `,
  `
  CREATE TABLE credentials (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    sealed TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  ALTER TABLE indexes ADD COLUMN state TEXT NOT NULL DEFAULT 'live' CHECK (state IN ('live', 'building', 'retired'));
  ALTER TABLE indexes ADD COLUMN replaces INTEGER;
  CREATE UNIQUE INDEX indexes_building ON indexes (replaces) WHERE replaces IS NOT NULL;

  ALTER TABLE runs ADD COLUMN job TEXT;
  ALTER TABLE runs ADD COLUMN receipt TEXT;
  CREATE INDEX runs_by_job ON runs (job) WHERE job IS NOT NULL;
  `,
  `
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
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX chat_messages_by_session ON chat_messages (flow_id, session_id);
  CREATE INDEX chat_messages_by_chat ON chat_messages (flow_id, chat_id);

  CREATE TABLE chat_files (
    id TEXT PRIMARY KEY,
    message_id TEXT NOT NULL REFERENCES chat_messages (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    mime TEXT NOT NULL,
    content BLOB NOT NULL
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
  `,
  `
  CREATE TABLE paused_runs (
    id TEXT PRIMARY KEY,
    flow_id TEXT NOT NULL REFERENCES flows (id) ON DELETE CASCADE,
    session_id TEXT NOT NULL,
    node_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    state TEXT NOT NULL,
    UNIQUE (flow_id, session_id)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE text_segments (
    id INTEGER PRIMARY KEY,
    index_id INTEGER NOT NULL,
    first_passage INTEGER NOT NULL,
    last_passage INTEGER NOT NULL,
    passages INTEGER NOT NULL,
    gone_count INTEGER NOT NULL,
    terms REAL NOT NULL,
    runs BLOB NOT NULL,
    classes BLOB NOT NULL,
    gone BLOB
  ) STRICT;
  CREATE INDEX text_segments_by_index ON text_segments (index_id, first_passage);
  CREATE INDEX text_segments_by_end ON text_segments (last_passage);
  CREATE TABLE text_pages (
    id INTEGER PRIMARY KEY,
    segment_id INTEGER NOT NULL,
    first_term INTEGER NOT NULL,
    page BLOB NOT NULL
  ) STRICT;
  CREATE INDEX text_pages_by_term ON text_pages (segment_id, first_term);
  CREATE TABLE text_backlog (
    index_id INTEGER PRIMARY KEY REFERENCES indexes (id) ON DELETE CASCADE,
    after INTEGER NOT NULL,
    last INTEGER NOT NULL
  ) STRICT;
  INSERT INTO text_backlog SELECT id, 0, (SELECT coalesce(max(id), 0) FROM passages) FROM indexes;
  `,
  `
  ALTER TABLE runs ADD COLUMN first_passage INTEGER;
  `,
  `
  ALTER TABLE api_keys ADD COLUMN expires_at INTEGER;
  ALTER TABLE api_keys ADD COLUMN last_used_at INTEGER;
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
  `,
  `
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
  `,
  `
  ALTER TABLE vectors ADD COLUMN checksum INTEGER;
  ALTER TABLE text_pages ADD COLUMN checksum INTEGER;
  ALTER TABLE text_segments ADD COLUMN checksum INTEGER;
  ALTER TABLE flows ADD COLUMN checksum INTEGER;
  ALTER TABLE chat_messages ADD COLUMN checksum INTEGER;
  ALTER TABLE chat_files ADD COLUMN checksum INTEGER;
  `,
  `
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    token_hash BLOB NOT NULL UNIQUE,
    previous_hash BLOB UNIQUE,
    created_at INTEGER NOT NULL,
    used_at INTEGER NOT NULL,
    rotated_at INTEGER NOT NULL,
    confirmed_at INTEGER
  ) STRICT;
  CREATE TABLE sign_in_codes (hash BLOB PRIMARY KEY, expires_at INTEGER NOT NULL) STRICT;
  `,
  `
  ALTER TABLE flows ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
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
  INSERT INTO flow_revisions
    (flow_id, number, saved_at, saved_by, changes, slug, name, type, flow_data, config, checksum, api_key_id)
  SELECT id, 1, updated_at, 'an earlier version', '[]', slug, name, type, flow_data, config, checksum, api_key_id
  FROM flows;
  `,
  `
  ALTER TABLE indexes ADD COLUMN engine TEXT NOT NULL DEFAULT 'built-in';
  ALTER TABLE chunks ADD COLUMN point TEXT;
  CREATE INDEX chunks_by_point ON chunks (point) WHERE point IS NOT NULL;
  `,
] as const

/** The version of the schema that this program uses. */
export const SCHEMA_VERSION = STEPS.length

/**
 * Brings a database to the newest schema, one transaction a step.
 *
 * @throws SluiceError `database_newer` for a file of a later version
 */
export function migrate(connection: Connection, file: string): void {
  const found = schemaVersion(connection)
  refuseNewer(found, file)
  for (let step = found; step < STEPS.length; step++) {
    connection.transaction(() => {
      // Another process that starts at this moment may have been first.
      if (schemaVersion(connection) > step) return
      connection.exec(`${STEPS[step]}; PRAGMA user_version = ${step + 1}`)
    })
  }
}

/** @throws SluiceError `database_newer` for the schema of a later version */
export function refuseNewer(found: number, file: string): void {
  if (found > SCHEMA_VERSION)
    throw new SluiceError('database_newer', { path: file, found, known: SCHEMA_VERSION })
}

/** Which step of the schema a database has come to; 0 for one that holds nothing. */
export const schemaVersion = (connection: Connection): number =>
  Number(connection.get('PRAGMA user_version')!.user_version)
