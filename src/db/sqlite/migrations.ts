import path from 'node:path'
import { DATA_FILES } from '../../contract/data-files.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { Connection } from './connection.ts'
import { FIRST_SCHEMA } from './schema.ts'

/** The version of `FIRST_SCHEMA`. The versions before it were never released. */
export const FIRST_VERSION = 24

/** The oldest schema that `sluice rescue` reads. */
export const FIRST_RESCUED = 8

/** The changes after the first schema, one step a version. A released step is never edited; a new one is added after it. */
const STEPS: readonly string[] = [
  `ALTER TABLE api_keys ADD COLUMN pins TEXT NOT NULL DEFAULT '{}'`,
  `ALTER TABLE api_keys ADD COLUMN quotas TEXT NOT NULL DEFAULT '{}';
   CREATE TABLE quota_use (
     key_id TEXT NOT NULL,
     quota TEXT NOT NULL,
     day INTEGER NOT NULL,
     used INTEGER NOT NULL,
     PRIMARY KEY (key_id, quota)
   ) STRICT, WITHOUT ROWID`,
  `ALTER TABLE executions ADD COLUMN kind TEXT NOT NULL DEFAULT 'AGENTFLOW';
   ALTER TABLE executions ADD COLUMN failure TEXT;
   ALTER TABLE executions ADD COLUMN spans TEXT NOT NULL DEFAULT '[]';
   ALTER TABLE executions ADD COLUMN omitted_spans INTEGER NOT NULL DEFAULT 0;
   DROP INDEX executions_by_age;
   CREATE INDEX executions_by_creation ON executions (created_at);
   CREATE INDEX executions_by_kind ON executions (kind);
   CREATE INDEX executions_in_progress ON executions (seq) WHERE state = 'INPROGRESS'`,
  `ALTER TABLE chunks ADD COLUMN outdated_at INTEGER;
   ALTER TABLE sources ADD COLUMN outdated INTEGER NOT NULL DEFAULT 0;
   CREATE INDEX sources_outdated ON sources (index_id) WHERE outdated > 0`,
  'ALTER TABLE jobs ADD COLUMN attempt INTEGER NOT NULL DEFAULT 1',
  `ALTER TABLE sources ADD COLUMN settings TEXT;
   ALTER TABLE sources ADD COLUMN request TEXT;
   CREATE INDEX sources_by_settings ON sources (index_id, settings);
   CREATE TABLE load_settings (
     index_id INTEGER NOT NULL REFERENCES indexes (id) ON DELETE CASCADE,
     hash TEXT NOT NULL,
     content TEXT NOT NULL,
     PRIMARY KEY (index_id, hash)
   ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE failed_files (
     namespace TEXT NOT NULL,
     source TEXT NOT NULL,
     fence TEXT NOT NULL,
     name TEXT NOT NULL,
     flow_id TEXT NOT NULL,
     job TEXT NOT NULL,
     code TEXT,
     message TEXT NOT NULL,
     failed_at INTEGER NOT NULL,
     uploaded INTEGER NOT NULL,
     original TEXT,
     bytes INTEGER,
     PRIMARY KEY (namespace, source)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX failed_files_by_time ON failed_files (namespace, failed_at);
   CREATE INDEX failed_files_by_original ON failed_files (original) WHERE original IS NOT NULL;
   CREATE TRIGGER failed_original_replaced AFTER UPDATE OF original ON failed_files
     WHEN OLD.original IS NOT NULL AND OLD.original IS NOT NEW.original
     BEGIN INSERT OR IGNORE INTO gone_originals VALUES (OLD.original); END;
   CREATE TRIGGER failed_original_removed AFTER DELETE ON failed_files WHEN OLD.original IS NOT NULL
     BEGIN INSERT OR IGNORE INTO gone_originals VALUES (OLD.original); END`,
  'ALTER TABLE sources ADD COLUMN dropped TEXT',
  'ALTER TABLE jobs ADD COLUMN owner TEXT',
  `ALTER TABLE indexes ADD COLUMN valued_to INTEGER NOT NULL DEFAULT 0;
   CREATE TABLE value_blocks (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     index_id INTEGER NOT NULL,
     first_chunk INTEGER NOT NULL,
     last_chunk INTEGER NOT NULL,
     first_passage INTEGER NOT NULL,
     names TEXT,
     gone_count INTEGER NOT NULL DEFAULT 0,
     gone BLOB,
     chunks BLOB NOT NULL,
     checksum INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX value_blocks_by_index ON value_blocks (index_id, last_chunk);
   CREATE TABLE value_columns (
     id INTEGER PRIMARY KEY,
     block_id INTEGER NOT NULL,
     name TEXT NOT NULL,
     content BLOB,
     checksum INTEGER
   ) STRICT;
   CREATE UNIQUE INDEX value_columns_by_name ON value_columns (block_id, name)`,
  `CREATE TABLE chat_claims (
     flow_id TEXT NOT NULL REFERENCES flows (id) ON DELETE CASCADE,
     chat_id TEXT NOT NULL,
     owner TEXT,
     used_at INTEGER NOT NULL,
     PRIMARY KEY (flow_id, chat_id)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX chat_claims_by_use ON chat_claims (flow_id, used_at)`,
  // Conversations that got files before these had an owner, and have no message: see UNKNOWN_OWNER. Their stored names of sources are
  // those of contract/conversation.ts.
  `INSERT OR IGNORE INTO chat_claims (flow_id, chat_id, owner, used_at)
   SELECT flow_id, chat ->> '$', iif(flows.api_key_id IS NULL AND NOT max(fenced), NULL, ''), CAST(unixepoch('subsec') * 1000 AS INTEGER)
   FROM (
     SELECT flow_id, substr(rest, 1, instr(rest, char(31)) - 1) AS chat,
       substr(rest, instr(rest, char(31)) + 1, 1) = char(30) AS fenced
     FROM (
       SELECT substr(name, 2, instr(substr(name, 2), char(31)) - 1) AS flow_id,
         substr(name, instr(substr(name, 2), char(31)) + 2) AS rest
       FROM sources WHERE name >= char(31) AND name < ' ' AND substr(name, 2, 1) <> char(30)))
   JOIN flows ON flows.id = flow_id
   WHERE json_valid(chat) AND NOT EXISTS (
     SELECT 1 FROM chat_messages AS message
     WHERE message.flow_id = flows.id AND chat ->> '$' IN (message.chat_id, message.session_id))
   GROUP BY flow_id, chat`,
  `CREATE TABLE flow_states (
     flow_id TEXT NOT NULL REFERENCES flows (id) ON DELETE CASCADE,
     session_id TEXT NOT NULL,
     root_flow_id TEXT NOT NULL REFERENCES flows (id) ON DELETE CASCADE,
     updated_at INTEGER NOT NULL,
     state TEXT NOT NULL,
     PRIMARY KEY (flow_id, session_id)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX flow_states_by_root ON flow_states (root_flow_id, session_id)`,
  // Indexes of before may have a second collection. `has_removed`: see db/ledger/removed-collection.ts.
  `ALTER TABLE indexes ADD COLUMN has_removed INTEGER NOT NULL DEFAULT 0;
   UPDATE indexes SET has_removed = 1 WHERE engine <> 'built-in';
   CREATE TABLE engine_places (
     engine TEXT NOT NULL,
     place TEXT NOT NULL,
     sealed TEXT NOT NULL,
     used_at INTEGER NOT NULL,
     PRIMARY KEY (engine, place)
   ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE chunk_edits (
     namespace TEXT NOT NULL,
     id TEXT NOT NULL,
     source TEXT NOT NULL,
     flow_id TEXT NOT NULL,
     hash TEXT NOT NULL,
     ordinal INTEGER NOT NULL,
     original TEXT NOT NULL,
     content TEXT,
     metadata TEXT,
     result_hash TEXT,
     edited_at INTEGER NOT NULL,
     aside_at INTEGER,
     PRIMARY KEY (namespace, id)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX chunk_edits_by_flow ON chunk_edits (flow_id)`,
  `CREATE TABLE custom_tools (
     id TEXT PRIMARY KEY,
     name TEXT NOT NULL,
     description TEXT NOT NULL,
     color TEXT NOT NULL,
     icon_src TEXT NOT NULL,
     schema TEXT NOT NULL,
     func TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     updated_at INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID`,
  // Words that are in no chunk, questions, drafts. With an empty flow_data there is no draft: the row keeps the last number.
  `ALTER TABLE sources ADD COLUMN gaps TEXT;
   CREATE TABLE questions (
     id TEXT PRIMARY KEY,
     flow_id TEXT NOT NULL REFERENCES flows (id) ON DELETE CASCADE,
     key TEXT NOT NULL,
     text TEXT NOT NULL,
     state TEXT NOT NULL,
     origin TEXT NOT NULL,
     judgements TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     updated_at INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE UNIQUE INDEX questions_by_key ON questions (flow_id, key);
   CREATE TABLE question_runs (
     id TEXT PRIMARY KEY,
     flow_id TEXT NOT NULL REFERENCES flows (id) ON DELETE CASCADE,
     revision INTEGER NOT NULL,
     cause TEXT NOT NULL,
     measures TEXT NOT NULL,
     results TEXT NOT NULL,
     started_at INTEGER NOT NULL,
     finished_at INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX question_runs_by_flow ON question_runs (flow_id, finished_at);
   CREATE TABLE flow_drafts (
     flow_id TEXT PRIMARY KEY REFERENCES flows (id) ON DELETE CASCADE,
     number INTEGER NOT NULL,
     base INTEGER NOT NULL,
     saved_at INTEGER NOT NULL,
     saved_by TEXT NOT NULL,
     flow_data TEXT NOT NULL,
     checksum INTEGER
   ) STRICT, WITHOUT ROWID`,
]

/** What makes the schema of a version in an empty database; undefined for a version that this program has no steps to. */
export const schemaOf = (version: number): string | undefined =>
  version < FIRST_VERSION || version > SCHEMA_VERSION
    ? undefined
    : [FIRST_SCHEMA, ...STEPS.slice(0, version - FIRST_VERSION)].join(';')

/** The version of the schema that this program uses. */
export const SCHEMA_VERSION = FIRST_VERSION + STEPS.length

/**
 * Brings a database to the newest schema: a new one in one transaction, another in one for each step.
 *
 * @throws SluiceError `database_newer` for a file of a later version, `database_older` for one from before the first release
 */
export function migrate(connection: Connection, file: string): void {
  const found = schemaVersion(connection)
  refuseUnknown(found, file)
  // A new database is made at once: another process would take one that is half made for one of an earlier version, and back it up.
  if (found === 0) doStep(connection, schemaOf(SCHEMA_VERSION)!, SCHEMA_VERSION)
  else
    for (const [at, sql] of STEPS.slice(found - FIRST_VERSION).entries())
      doStep(connection, sql, found + 1 + at)
}

function doStep(connection: Connection, sql: string, version: number): void {
  connection.transaction(() => {
    // Another process that starts at this moment may have been first.
    if (schemaVersion(connection) >= version) return
    connection.exec(`${sql}; PRAGMA user_version = ${version}`)
  })
}

/** Whether {@link migrate} would change the schema of a database that holds something. */
export function isUpgraded(connection: Connection): boolean {
  const found = schemaVersion(connection)
  return found >= FIRST_VERSION && found < SCHEMA_VERSION
}

/** @throws SluiceError `database_newer` for the schema of a later version, `database_older` for one from before the first release */
export function refuseUnknown(found: number, file: string): void {
  refuseNewer(found, file)
  if (found > 0 && found < FIRST_VERSION)
    throw new SluiceError('database_older', {
      path: file,
      found,
      known: FIRST_VERSION,
      ...(found < FIRST_RESCUED ? {} : { hint: rescueHint(file) }),
    })
}

/** @param file the database of a data directory, or a backup */
function rescueHint(file: string): string {
  const from = path.basename(file) === DATA_FILES.database ? path.dirname(file) : file
  return `sluice rescue ${from} rescued.sluice writes its flows, keys, credentials, variables and chats into a backup that this version restores; its documents have to be loaded again`
}

/** @throws SluiceError `database_newer` for the schema of a later version */
export function refuseNewer(found: number, file: string): void {
  if (found > SCHEMA_VERSION)
    throw new SluiceError('database_newer', { path: file, found, known: SCHEMA_VERSION })
}

/** The version of the schema of a database; 0 for one that holds nothing. */
export const schemaVersion = (connection: Connection): number =>
  Number(connection.get('PRAGMA user_version')!.user_version)
