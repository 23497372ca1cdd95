import type { SchemaStep } from '../migrations.ts'
import { ACCESS } from './access.ts'
import { CHAT_RUNS } from './chat-runs.ts'
import { CHATS } from './chats.ts'
import { CHUNKS } from './chunks.ts'
import { FLOWS } from './flows.ts'
import { INDEXES } from './indexes.ts'
import { JOBS } from './jobs.ts'
import { CLUSTER } from './cluster.ts'
import { ownTables } from './own-tables.ts'
import { SAVED_INDEXES } from './saved-indexes.ts'
import { WORKSPACE } from './workspace.ts'

/**
 * The schema in PostgreSQL. Tables and columns have the names and meanings of those in `sqlite/schema.ts`. What differs:
 *
 * - Ids and names are `COLLATE "C"`, so that texts have the same order as in SQLite, whatever the locale of the database.
 * - JSON is `text`, since `jsonb` cannot store every text that JSON can.
 * - There are no checksums: a server of PostgreSQL has its own (`initdb --data-checksums`).
 */
export const SCHEMA: readonly SchemaStep[] = [
  { name: 'first', sql: [WORKSPACE, FLOWS, ACCESS, CHATS, INDEXES, CHUNKS, JOBS, CLUSTER].join('\n') },
  { name: 'answers in progress', sql: CHAT_RUNS },
  // A program that does not know pins gives a key with pins the documents of all.
  { name: 'pins', sql: `ALTER TABLE api_keys ADD COLUMN pins text NOT NULL DEFAULT '{}'`, needs: 3 },
  {
    name: 'quotas',
    needs: 4,
    sql: `
      ALTER TABLE api_keys ADD COLUMN quotas text NOT NULL DEFAULT '{}';
      CREATE TABLE quota_use (
        key_id text COLLATE "C" NOT NULL,
        quota text COLLATE "C" NOT NULL,
        day integer NOT NULL,
        used bigint NOT NULL,
        PRIMARY KEY (key_id, quota)
      )`,
  },
  {
    name: 'runs of every flow',
    sql: `
      ALTER TABLE executions
        ADD COLUMN kind text NOT NULL DEFAULT 'AGENTFLOW',
        ADD COLUMN failure text,
        ADD COLUMN spans text NOT NULL DEFAULT '[]',
        ADD COLUMN omitted_spans integer NOT NULL DEFAULT 0;
      CREATE INDEX executions_by_creation ON executions (created_at);
      CREATE INDEX executions_by_kind ON executions (kind, seq)`,
  },
  {
    name: 'outdated chunks',
    sql: `
      ALTER TABLE chunks ADD COLUMN outdated_at bigint;
      ALTER TABLE sources ADD COLUMN outdated bigint NOT NULL DEFAULT 0;
      CREATE INDEX sources_outdated ON sources (index_id) WHERE outdated > 0`,
  },
  { name: 'attempts of jobs', sql: 'ALTER TABLE jobs ADD COLUMN attempt integer NOT NULL DEFAULT 1' },
  {
    name: 'settings of sources',
    sql: `
      ALTER TABLE sources ADD COLUMN settings text COLLATE "C", ADD COLUMN request text;
      CREATE INDEX sources_by_settings ON sources (index_id, settings);
      CREATE TABLE load_settings (
        index_id bigint NOT NULL REFERENCES indexes (id) ON DELETE CASCADE,
        hash text COLLATE "C" NOT NULL,
        content text NOT NULL,
        PRIMARY KEY (index_id, hash)
      )`,
  },
  {
    name: 'failed files',
    sql: `
      CREATE TABLE failed_files (
        namespace text COLLATE "C" NOT NULL,
        source text COLLATE "C" NOT NULL,
        fence text COLLATE "C" NOT NULL,
        name text COLLATE "C" NOT NULL,
        flow_id text COLLATE "C" NOT NULL,
        job text COLLATE "C" NOT NULL,
        code text,
        message text NOT NULL,
        failed_at bigint NOT NULL,
        uploaded boolean NOT NULL,
        original text,
        bytes bigint,
        PRIMARY KEY (namespace, source)
      );
      CREATE INDEX failed_files_by_time ON failed_files (namespace, failed_at);
      CREATE INDEX failed_files_by_original ON failed_files (original) WHERE original IS NOT NULL;
      CREATE TRIGGER failed_original_replaced AFTER UPDATE OF original ON failed_files FOR EACH ROW
        WHEN (OLD.original IS NOT NULL AND OLD.original IS DISTINCT FROM NEW.original)
        EXECUTE FUNCTION note_gone_original();
      CREATE TRIGGER failed_original_removed AFTER DELETE ON failed_files FOR EACH ROW
        WHEN (OLD.original IS NOT NULL) EXECUTE FUNCTION note_gone_original()`,
  },
  { name: 'what is left out of documents', sql: 'ALTER TABLE sources ADD COLUMN dropped text' },
  // For databases that got pins and quotas from versions that did not say so.
  { name: 'no way back behind pins and quotas', sql: 'SELECT 1', needs: 4 },
  {
    name: 'owners of jobs',
    sql: `
      ALTER TABLE jobs ADD COLUMN owner text COLLATE "C";
      CREATE TABLE owner_turns (owner text COLLATE "C" PRIMARY KEY, served_at timestamptz NOT NULL)`,
  },
  {
    // A program that does not know them gives the files of a conversation to every key.
    name: 'owners of conversations with files',
    needs: 13,
    sql: `
      CREATE TABLE chat_claims (
        flow_id text COLLATE "C" NOT NULL REFERENCES flows (id) ON DELETE CASCADE,
        chat_id text COLLATE "C" NOT NULL,
        owner text,
        used_at bigint NOT NULL,
        PRIMARY KEY (flow_id, chat_id)
      );
      CREATE INDEX chat_claims_by_use ON chat_claims (flow_id, used_at)`,
  },
  {
    // Conversations that got files before these had an owner, and have no message: see UNKNOWN_OWNER. Their stored names of sources are
    // those of contract/conversation.ts. Chat ids that PostgreSQL cannot store, with a NUL or half a character, have no row.
    name: 'old conversations with files and no known owner',
    needs: 14,
    sql: String.raw`
      INSERT INTO chat_claims (flow_id, chat_id, owner, used_at)
      SELECT flow_id, chat_id, CASE WHEN bool_or(fenced OR is_closed) THEN '' END, (extract(epoch FROM clock_timestamp()) * 1000)::bigint
      FROM (
        SELECT flows.id AS flow_id, flows.api_key_id IS NOT NULL AS is_closed, left(split_part(sources.name, E'\x1f', 4), 1) = E'\x1e' AS fenced,
          CASE WHEN split_part(sources.name, E'\x1f', 3) ~ '^"([^"\\]|\\["\\bfnrt]|\\u00(0[1-9a-f]|1[0-9a-f]))*"$'
            THEN split_part(sources.name, E'\x1f', 3)::json #>> '{}' END AS chat_id
        FROM sources JOIN flows ON flows.id = split_part(sources.name, E'\x1f', 2)
        WHERE sources.name >= E'\x1f' AND sources.name < ' ') AS files
      WHERE chat_id IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM chat_messages AS message
        WHERE message.flow_id = files.flow_id AND files.chat_id IN (message.chat_id, message.session_id))
      GROUP BY flow_id, chat_id
      ON CONFLICT DO NOTHING`,
  },
  {
    name: 'states of agent flows',
    sql: `
      CREATE TABLE flow_states (
        flow_id text COLLATE "C" NOT NULL REFERENCES flows (id) ON DELETE CASCADE,
        session_id text COLLATE "C" NOT NULL,
        root_flow_id text COLLATE "C" NOT NULL REFERENCES flows (id) ON DELETE CASCADE,
        updated_at bigint NOT NULL,
        state text NOT NULL,
        PRIMARY KEY (flow_id, session_id)
      );
      CREATE INDEX flow_states_by_root ON flow_states (root_flow_id, session_id)`,
  },
  { name: 'tables of large indexes', sql: ownTables() },
  {
    // Indexes of before may have a second collection.
    name: 'places of engines',
    sql: `
      ALTER TABLE indexes ADD COLUMN has_removed integer NOT NULL DEFAULT 0;
      UPDATE indexes SET has_removed = 1 WHERE engine <> 'built-in';
      CREATE TABLE engine_places (
        engine text COLLATE "C" NOT NULL,
        place text COLLATE "C" NOT NULL,
        sealed text NOT NULL,
        used_at bigint NOT NULL,
        PRIMARY KEY (engine, place)
      )`,
  },
  { name: 'saved copies of indexes', sql: SAVED_INDEXES },
  {
    name: 'edits of chunks',
    sql: `
      CREATE TABLE chunk_edits (
        namespace text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        source text COLLATE "C" NOT NULL,
        flow_id text COLLATE "C" NOT NULL,
        hash text COLLATE "C" NOT NULL,
        ordinal integer NOT NULL,
        original text NOT NULL,
        content text,
        metadata text,
        result_hash text,
        edited_at bigint NOT NULL,
        aside_at bigint,
        PRIMARY KEY (namespace, id)
      );
      CREATE INDEX chunk_edits_by_flow ON chunk_edits (flow_id)`,
  },
  {
    name: 'custom tools',
    sql: `
      CREATE TABLE custom_tools (
        id text COLLATE "C" PRIMARY KEY,
        name text COLLATE "C" NOT NULL,
        description text NOT NULL,
        color text NOT NULL,
        icon_src text NOT NULL,
        schema text NOT NULL,
        func text NOT NULL,
        created_at bigint NOT NULL,
        updated_at bigint NOT NULL
      )`,
  },
  {
    // With an empty flow_data there is no draft: the row keeps the last number, which is never given again.
    name: 'words that are in no chunk, questions and drafts of flows',
    sql: `
      ALTER TABLE sources ADD COLUMN gaps text;
      CREATE TABLE questions (
        id text COLLATE "C" PRIMARY KEY,
        flow_id text COLLATE "C" NOT NULL REFERENCES flows (id) ON DELETE CASCADE,
        key text COLLATE "C" NOT NULL,
        text text NOT NULL,
        state text COLLATE "C" NOT NULL,
        origin text NOT NULL,
        judgements text NOT NULL,
        created_at bigint NOT NULL,
        updated_at bigint NOT NULL
      );
      CREATE UNIQUE INDEX questions_by_key ON questions (flow_id, key);
      CREATE TABLE question_runs (
        id text COLLATE "C" PRIMARY KEY,
        flow_id text COLLATE "C" NOT NULL REFERENCES flows (id) ON DELETE CASCADE,
        revision integer NOT NULL,
        cause text NOT NULL,
        measures text NOT NULL,
        results text NOT NULL,
        started_at bigint NOT NULL,
        finished_at bigint NOT NULL
      );
      CREATE INDEX question_runs_by_flow ON question_runs (flow_id, finished_at);
      CREATE TABLE flow_drafts (
        flow_id text COLLATE "C" PRIMARY KEY REFERENCES flows (id) ON DELETE CASCADE,
        number integer NOT NULL,
        base integer NOT NULL,
        saved_at bigint NOT NULL,
        saved_by text NOT NULL,
        flow_data text NOT NULL
      )`,
  },
]
