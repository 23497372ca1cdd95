import type { Metric } from '../../contract/retrieval.ts'
import { fingerprint } from '../../kit/hash.ts'
import type { SqlSession, SqlTransaction } from '../../db/postgres/session.ts'
import type { VectorType } from './vectors.ts'

/** PostgreSQL cuts longer names off, in bytes. */
const LONGEST_NAME = 63
const HASH_LENGTH = 16

/** The operator of a metric: smaller is closer. */
export const DISTANCE: Record<Metric, string> = { cosine: '<=>', dot: '<#>', euclidean: '<->' }

const OPERATOR_CLASS: Record<Metric, string> = { cosine: 'cosine', dot: 'ip', euclidean: 'l2' }

export const operatorClass = (type: VectorType, metric: Metric): string =>
  `${type}_${OPERATOR_CLASS[metric]}_ops`

/** The column of the run that has written a row. */
export const RUN = 'sluice_run'

/** A name in a statement. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Where the tables of a card are. `table` is the table of another program, and the first part of the names of ours. */
export type TableNames = { schema?: string | undefined; table: string }

/** Names of the tables and indexes of a collection, quoted. */
export type CollectionTable = {
  name: string
  plainName: string
  graph: string
  fields: string
  runs: string
  key: string
}

/** The longest name of a table that a card may give, in bytes. */
export const LONGEST_TABLE = LONGEST_NAME - HASH_LENGTH - '__fields'.length

/** The table of a collection: the name that the card gives, and a fingerprint of the collection. */
export function tableOf({ schema, table }: TableNames, collection: string): CollectionTable {
  const plainName = `${table}_${fingerprint(collection).slice(0, HASH_LENGTH)}`
  const within = (name: string) => (schema === undefined ? quoted(name) : `${quoted(schema)}.${quoted(name)}`)
  return {
    name: within(plainName),
    plainName,
    graph: `${plainName}_graph`,
    fields: `${plainName}_fields`,
    runs: `${plainName}_runs`,
    key: `sluice pgvector ${within(plainName)}`,
  }
}

/** The column with the check of the vector. */
export const CHECK = 'sluice_check'

/**
 * What a table is like: `rows` by the last ANALYZE, -1 before the first; `graphs` are the operator classes of its HNSW indexes; `hasRuns`:
 * whether its rows have the run that has written them, as those of before have not; `checks`: whether it has the column for those of
 * vectors, which earlier versions did not make; `owned`: whether it may get one; `findsRuns`: whether it has an index of its runs.
 */
export type TableState = {
  rows: number
  type: VectorType
  dimensions: number
  graphs: string[]
  hasRuns: boolean
  checks: boolean
  owned: boolean
  findsRuns: boolean
}

/** Undefined where there is no such table. @param name quoted */
export const tableState = (sql: SqlSession, name: string): Promise<TableState | undefined> =>
  sql.get<TableState>(
    `SELECT c.reltuples::float8 AS rows, format_type(a.atttypid, NULL) AS type, a.atttypmod AS dimensions,
       EXISTS (SELECT FROM pg_attribute own WHERE own.attrelid = c.oid AND own.attname = '${CHECK}' AND NOT own.attisdropped) AS checks,
       pg_has_role(c.relowner, 'USAGE') AS owned,
       ARRAY(
         SELECT o.opcname::text FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid
           JOIN pg_am m ON m.oid = x.relam JOIN pg_opclass o ON o.oid = i.indclass[0]
         WHERE i.indrelid = c.oid AND i.indisvalid AND m.amname = 'hnsw') AS graphs,
       EXISTS (SELECT FROM pg_attribute r WHERE r.attrelid = c.oid AND r.attname = '${RUN}') AS "hasRuns",
       EXISTS (
         SELECT FROM pg_index i JOIN pg_attribute r ON r.attrelid = c.oid AND r.attnum = i.indkey[0]
         WHERE i.indrelid = c.oid AND i.indisvalid AND r.attname = '${RUN}') AS "findsRuns"
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'embedding'
     WHERE c.oid = to_regclass($1)`,
    name,
  )

/**
 * The columns have the names that Flowise uses, so that other programs can read the table. Of two first writes at once the second waits
 * for the first: two `IF NOT EXISTS` that do not see each other fail in the catalog. The index of runs leads past what is staged:
 * otherwise a search would read it all.
 */
export async function createTable(
  sql: SqlTransaction,
  { name, runs }: CollectionTable,
  { type, dimensions }: Pick<TableState, 'type' | 'dimensions'>,
): Promise<void> {
  await sql.get('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', `sluice table ${name}`)
  await sql.run(
    `CREATE TABLE IF NOT EXISTS ${name} (
       id text PRIMARY KEY, "pageContent" text NOT NULL, metadata jsonb NOT NULL,
       embedding ${type}(${Math.trunc(dimensions)}) NOT NULL, ${RUN} bigint, ${CHECK} text)`,
  )
  await sql.run(`CREATE INDEX IF NOT EXISTS ${quoted(runs)} ON ${name} (${RUN})`)
}

/** Gives a table of before its column of runs. */
export const addRuns = (sql: SqlSession, { name }: CollectionTable): Promise<number> =>
  sql.run(`ALTER TABLE ${name} ADD COLUMN IF NOT EXISTS ${RUN} bigint`)

/** Lets a table of an earlier version have the checks of vectors. */
export const addChecks = (sql: SqlSession, { name }: CollectionTable): Promise<number> =>
  sql.run(`ALTER TABLE ${name} ADD COLUMN IF NOT EXISTS ${CHECK} text`)
