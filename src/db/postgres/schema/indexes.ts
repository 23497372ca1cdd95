/**
 * What namespaces hold. Triggers note the files of documents that no source names any more.
 *
 * `run_changes` is what a published run removed and moved, for the replicas of the nodes. Changes of runs up to
 * `indexes.followed_from` are deleted: a replica that has not all of them is loaded again. `runs.token` tells a run from one
 * with the same number in a database that was restored.
 */
export const INDEXES = `
  CREATE TABLE indexes (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    namespace text COLLATE "C" NOT NULL UNIQUE,
    embedder text NOT NULL,
    dimensions integer,
    chunks bigint NOT NULL DEFAULT 0,
    created_at bigint NOT NULL,
    state text NOT NULL DEFAULT 'live' CHECK (state IN ('live', 'building', 'retired', 'deleted')),
    replaces bigint,
    engine text NOT NULL DEFAULT 'built-in',
    deleted_flow text,
    deleted_namespace text,
    followed_from bigint NOT NULL DEFAULT 0
  );
  CREATE UNIQUE INDEX indexes_building ON indexes (replaces) WHERE replaces IS NOT NULL;

  CREATE TABLE runs (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    index_id bigint NOT NULL REFERENCES indexes (id) ON DELETE CASCADE,
    state text NOT NULL CHECK (state IN ('open', 'published', 'abandoned')),
    token uuid NOT NULL DEFAULT gen_random_uuid(),
    started_at bigint NOT NULL,
    published_at bigint,
    job text,
    receipt text
  );
  CREATE INDEX runs_by_index ON runs (index_id, seq);
  CREATE INDEX runs_unpublished ON runs (seq) WHERE state <> 'published';
  CREATE INDEX runs_by_job ON runs (job) WHERE job IS NOT NULL;

  CREATE TABLE run_changes (
    run bigint NOT NULL REFERENCES runs (seq) ON DELETE CASCADE,
    part integer NOT NULL,
    removed bigint[] NOT NULL,
    moved bigint[] NOT NULL,
    starts integer[] NOT NULL,
    ends integer[] NOT NULL,
    PRIMARY KEY (run, part)
  );

  CREATE TABLE sources (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    index_id bigint NOT NULL REFERENCES indexes (id) ON DELETE CASCADE,
    name text COLLATE "C" NOT NULL,
    updated_at bigint NOT NULL,
    chunks bigint NOT NULL DEFAULT 0,
    bytes bigint,
    characters bigint,
    job text,
    removed_run bigint,
    removed_until bigint,
    original text,
    original_type text,
    UNIQUE (index_id, name)
  );
  CREATE INDEX sources_by_original ON sources (original) WHERE original IS NOT NULL;
  CREATE INDEX sources_removed ON sources (removed_run) WHERE removed_run IS NOT NULL;

  CREATE TABLE gone_originals (id text PRIMARY KEY);
  CREATE FUNCTION note_gone_original() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO gone_originals VALUES (OLD.original) ON CONFLICT DO NOTHING;
      RETURN NULL;
    END $$;
  CREATE TRIGGER original_replaced AFTER UPDATE OF original ON sources FOR EACH ROW
    WHEN (OLD.original IS NOT NULL AND OLD.original IS DISTINCT FROM NEW.original)
    EXECUTE FUNCTION note_gone_original();
  CREATE TRIGGER original_removed AFTER DELETE ON sources FOR EACH ROW
    WHEN (OLD.original IS NOT NULL) EXECUTE FUNCTION note_gone_original();

  CREATE TABLE files (
    index_id bigint NOT NULL REFERENCES indexes (id) ON DELETE CASCADE,
    name text COLLATE "C" NOT NULL,
    fingerprint text NOT NULL,
    chunks bigint NOT NULL,
    PRIMARY KEY (index_id, name)
  );
`
