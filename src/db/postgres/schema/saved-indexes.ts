/**
 * Finished copies of indexes, as members search them: a member that has none fetches one, in place of making its own. A copy is of the
 * run `run` with the token `token`, and a file of so many `bytes` with this CRC-32; both are null until it is whole. `format` is the
 * version of its schema. The file is `blob` in the bucket, or, where that is null, in `saved_parts`. There are no foreign keys: a sweep
 * deletes the parts in steps.
 *
 * `indexes.asked` counts the questions of an index, those of a day before `asked_at` by half.
 */
export const SAVED_INDEXES = `
  CREATE TABLE saved_indexes (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    index_id bigint NOT NULL,
    format integer NOT NULL,
    blob text COLLATE "C",
    run bigint,
    token uuid,
    bytes bigint,
    checksum integer,
    begun_at timestamptz NOT NULL DEFAULT clock_timestamp()
  );
  CREATE INDEX saved_indexes_by_index ON saved_indexes (index_id, id);
  CREATE UNIQUE INDEX saved_indexes_begun ON saved_indexes (index_id, format) WHERE bytes IS NULL;

  CREATE TABLE saved_parts (
    saved_id bigint NOT NULL,
    part integer NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (saved_id, part)
  );
  ALTER TABLE saved_parts ALTER COLUMN content SET STORAGE EXTERNAL;

  ALTER TABLE indexes ADD COLUMN asked double precision NOT NULL DEFAULT 0, ADD COLUMN asked_at timestamptz;
`
