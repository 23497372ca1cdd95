/**
 * Which chunks exist, and which of them readers see.
 *
 * - An *index* is what a namespace holds while it is `live`. One that is `building` takes the place of the one it `replaces`
 *   when it is published; one that is `retired` is deleted soon; one that is `deleted` belongs to the deleted flow
 *   `deleted_flow` and had the name `deleted_namespace`. None of them has the name of a namespace. `engine` is the vector
 *   engine that has its points.
 * - A *run* is one upsert: readers see what it writes from the moment that its state is `published`.
 * - The *receipt* of a run is the result of its job, until the row of the job has it.
 * - A *source* counts the `chunks` that readers see of it. `bytes` is the size of its file, `characters` the length of its
 *   extracted text, `job` the last job that read it. Where `removed_run` is set, that run has removed all of its chunks, and
 *   until `removed_until` they can be restored; chunks that `died` in run 0 were removed and cannot be restored.
 *   `original` is the id of its kept file, and `original_type` the type of that. `settings` is the hash of the row of
 *   `load_settings` with which it was loaded, null where that is not known, and `request` what the request of that load changed.
 *   `dropped` has the rows of what was left out of its text, as JSON (`documents/dropped-rows.ts`); null where that is not known.
 *   `gaps` has the words of its text that no chunk has, as JSON (`TextGaps` of `contract/source-trace.ts`); null where that is not known.
 * - A *passage* is a text, once per index. `passage_hashes` finds it by the hash of its text; see `passage-hashes.ts`. No
 *   foreign key leads from passages to their index, since that would need an index over passages.
 * - A *chunk* is a passage in a source, with metadata. Readers see it when the run that staged it (`born`) is published and no
 *   published run has removed it (`died`). `point` is its id in a separate vector engine; null in the built-in one.
 *   `text_start` and `text_end` are the range of its words in the extracted text of the source, in UTF-16 code units.
 *   `outdated_at` is the time of the first run that read the source and did not have the chunk, which stayed; its source counts
 *   those that readers see as `outdated` (both columns came later, see `migrations.ts`).
 *
 * Ids of indexes and chunks are never used twice: images in memory have the id of their index as key, and the chunks of a run
 * are read from `first_chunk` on, the first free id when the run began; its passages begin at `first_passage`.
 */
export const LEDGER_TABLES = `
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
  CREATE UNIQUE INDEX indexes_building ON indexes (replaces) WHERE replaces IS NOT NULL;

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
  CREATE INDEX runs_by_job ON runs (job) WHERE job IS NOT NULL;

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
  CREATE TRIGGER original_replaced AFTER UPDATE OF original ON sources
    WHEN OLD.original IS NOT NULL AND OLD.original IS NOT NEW.original
    BEGIN INSERT OR IGNORE INTO gone_originals VALUES (OLD.original); END;
  CREATE TRIGGER original_removed AFTER DELETE ON sources WHEN OLD.original IS NOT NULL
    BEGIN INSERT OR IGNORE INTO gone_originals VALUES (OLD.original); END;
  CREATE INDEX sources_removed ON sources (removed_run) WHERE removed_run IS NOT NULL;

  CREATE TABLE gone_originals (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

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
  CREATE TRIGGER passage_removed AFTER DELETE ON passages
    BEGIN DELETE FROM passage_hashes WHERE index_id = OLD.index_id AND level IN (0, 1, 2) AND hash = OLD.hash; END;

  CREATE TABLE passage_hashes (
    index_id INTEGER NOT NULL REFERENCES indexes (id) ON DELETE CASCADE,
    level INTEGER NOT NULL,
    hash TEXT NOT NULL,
    passage_id INTEGER NOT NULL,
    PRIMARY KEY (index_id, level, hash)
  ) STRICT, WITHOUT ROWID;

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
  CREATE INDEX chunks_by_point ON chunks (point) WHERE point IS NOT NULL;
`
