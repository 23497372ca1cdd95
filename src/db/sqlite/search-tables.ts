/**
 * What the built-in vector engine and the keyword search keep about the passages of the ledger.
 *
 * - The vector of a passage is in `vectors`, with the checksum of its content, see `contents.ts`.
 * - A *vector image* is the file with a copy of the vectors of an index, see `vector-images.ts`; `gone_passages` are those
 *   that a sweep has removed since then: float64 numbers, with the last published run.
 * - A *segment* says which of some passages hold which terms, in pages that are ordered by term; see `text-segments.ts` and
 *   `keyword/page.ts`.
 */
export const SEARCH_TABLES = `
  CREATE TABLE vectors (
    passage_id INTEGER PRIMARY KEY REFERENCES passages (id) ON DELETE CASCADE,
    vector BLOB NOT NULL,
    checksum INTEGER
  ) STRICT;

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
`
