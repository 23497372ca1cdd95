/**
 * Passages with their vectors, and chunks. The ids of passages are taken in blocks (`stage.ts`). Ids come from sequences and are not in the order of commits; the chunks of a run are
 * found by `(index_id, born)`. There are no foreign keys, since PostgreSQL would check each row: deletions name all that they
 * delete. Vectors are float32 numbers, little endian, not compressed.
 */
export const CHUNKS = `
  CREATE SEQUENCE passage_blocks;
  CREATE TABLE passages (
    id bigint PRIMARY KEY,
    index_id bigint NOT NULL,
    hash text COLLATE "C" NOT NULL,
    content text NOT NULL,
    UNIQUE (index_id, hash)
  );

  CREATE TABLE vectors (passage_id bigint PRIMARY KEY, vector bytea NOT NULL);
  ALTER TABLE vectors ALTER COLUMN vector SET STORAGE EXTERNAL;

  CREATE TABLE chunks (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    index_id bigint NOT NULL,
    source_id bigint NOT NULL,
    passage_id bigint NOT NULL,
    hash text NOT NULL,
    metadata text NOT NULL,
    metadata_hash text NOT NULL,
    born bigint NOT NULL,
    died bigint,
    point text COLLATE "C",
    text_start integer,
    text_end integer
  );
  CREATE INDEX chunks_by_run ON chunks (index_id, born, id);
  CREATE INDEX chunks_by_source ON chunks (source_id, passage_id);
  CREATE INDEX chunks_by_passage ON chunks (passage_id);
  CREATE INDEX chunks_dead ON chunks (index_id, died) WHERE died IS NOT NULL;
  CREATE INDEX chunks_by_point ON chunks (point) WHERE point IS NOT NULL;
`
