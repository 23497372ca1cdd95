/** The tables that hold the chunks of indexes: each has a table that all indexes share, and those of single indexes. */
export const SPLIT_TABLES = ['passages', 'vectors', 'chunks'] as const

/** Up to so many bytes of rows a table is looked through while the schema is changed: less than a second. */
const QUICK_BYTES = 256 * 2 ** 20

/** Rows that are there while the planner looks, for each table its columns and what `n` gives for them. They are of no index. */
const EXAMPLES = {
  passages: { columns: 'id, index_id, hash, content', values: `-n, 0, n::text, ''` },
  vectors: { columns: 'passage_id, vector', values: `-n, ''` },
  chunks: {
    columns: 'id, index_id, source_id, passage_id, hash, metadata, metadata_hash, born',
    values: `-n, 0, -n, -n, '', '', '', 0`,
  },
} as const

/** What the planner must know of each table from the beginning: that all rows are where `own` says, and that ids are unique. */
const KNOWN = { passages: 'own, id', vectors: 'own, passage_id', chunks: 'own, id, passage_id' } as const

/**
 * Chunks are in the table that all indexes share, `own` = 0, or in the table of one large index, `own` = its id; `own-tables.ts` makes
 * these and moves rows into them. The table of before becomes the shared one as it is. No unique index is over all tables: ids come from
 * sequences, and an index has an open run at most.
 *
 * A large table of before is the default partition until a sweep has looked through it; until then no index gets tables of its own.
 *
 * Without statistics the planner takes a condition on `own` for one that few rows meet, and it never looks at the table above all others by
 * itself.
 *
 * @param quickBytes for tests
 */
export const ownTables = (quickBytes: number = QUICK_BYTES): string => `
  ALTER TABLE indexes ADD COLUMN has_tables boolean NOT NULL DEFAULT false;

  CREATE SEQUENCE chunk_ids;
  SELECT setval('chunk_ids', nextval(pg_get_serial_sequence('chunks', 'id')));
  ALTER TABLE chunks ALTER COLUMN id DROP IDENTITY;
  ALTER TABLE chunks ALTER COLUMN id SET DEFAULT nextval('chunk_ids');
  ${SPLIT_TABLES.map(
    (table) => `
  ALTER TABLE ${table} RENAME TO ${table}_shared;
  ALTER TABLE ${table}_shared ADD COLUMN own bigint NOT NULL DEFAULT 0,
    ADD CONSTRAINT ${table}_shared_own CHECK (own = 0) NOT VALID;
  CREATE TABLE ${table} (LIKE ${table}_shared INCLUDING DEFAULTS) PARTITION BY LIST (own);
  DO $$ BEGIN
    IF pg_relation_size('${table}_shared') <= ${quickBytes} THEN
      ALTER TABLE ${table}_shared VALIDATE CONSTRAINT ${table}_shared_own;
      ALTER TABLE ${table} ATTACH PARTITION ${table}_shared FOR VALUES IN (0);
    ELSE
      ALTER TABLE ${table} ATTACH PARTITION ${table}_shared DEFAULT;
    END IF;
  END $$;
  INSERT INTO ${table} (${EXAMPLES[table].columns}) SELECT ${EXAMPLES[table].values} FROM generate_series(1, 100) AS n;
  SET LOCAL default_statistics_target = 10;
  ANALYZE ${table} (${KNOWN[table]});
  DELETE FROM ${table}_shared WHERE ${KNOWN[table].split(', ')[1]} < 0;`,
  ).join('')}
  ALTER SEQUENCE chunk_ids OWNED BY chunks.id`
