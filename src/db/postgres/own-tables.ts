import { SPLIT_TABLES } from './schema/own-tables.ts'
import type { PostgresDatabase } from './database.ts'
import type { SqlSession } from './session.ts'

/*
 * Tables of large indexes, see schema/own-tables.ts. From so many chunks on the new rows of an index go to tables of its own; its earlier
 * rows are moved there by its sweep. When the index is removed, its tables are dropped.
 */

/** `from`: from how many chunks an index has tables of its own. `most`: how many indexes have some at most. */
export type OwnTables = { from: number; most: number }

/**
 * A statement that looks at the chunks of all takes longer to plan with each index that has tables (40 ms with 50 of them, 230 ms with 200), and
 * locks all of them.
 */
export const OWN_TABLES: OwnTables = { from: 50_000, most: 64 }

/** How many rows of each table an index has in its own from the beginning. */
const FIRST_ROWS = 2000

/** How long others may wait behind a change of the tables that all read, and the tables of a removed index for a vacuum, in milliseconds. */
const WAIT_MS = { others: 100, vacuum: 1500 }

/** How long the look through a large table may take, in milliseconds. */
const LOOK_MS = 30 * 60_000

/** The key of the lock of those that change tables: "tables" in ASCII. */
const LOCK = 0x74_61_62_6c_65_73

const tablesOf = (indexId: number): string[] => SPLIT_TABLES.map((table) => `${table}_of_${indexId}`)

/** The statement that ends all waits of a transaction for a lock after a time. */
const waitAtMost = (ms: number): string => `SET LOCAL lock_timeout = ${ms}`

/**
 * Makes the tables of an index, and moves its first rows there, so that the planner knows what is in them. Readers go on. Only for who has
 * the lease of the namespace. Returns whether the index has tables now: not where it is removed, where too many have some, or while the
 * shared tables have not been looked through.
 */
export async function makeOwnTables(
  sql: SqlSession,
  indexId: number,
  { most }: Pick<OwnTables, 'most'> = OWN_TABLES,
): Promise<boolean> {
  if (await sql.get('SELECT 1 FROM indexes WHERE id = $1 AND has_tables', indexId)) return true
  await sql.run('SELECT pg_advisory_xact_lock($1)', LOCK)
  const index = await sql.get<{ made: boolean; others: number }>(
    `SELECT has_tables AS made, (SELECT count(*) FROM indexes WHERE has_tables) AS others FROM indexes
     WHERE id = $1 AND state <> 'retired' FOR UPDATE`,
    indexId,
  )
  if (!index || index.made) return index?.made ?? false
  if (index.others >= most || (await defaultPartitions(sql)).length > 0) return false
  await sql.run(waitAtMost(WAIT_MS.others))
  // Empty ones may be there, of an index with this id before a move into the database.
  const left = await sql.get('SELECT 1 WHERE to_regclass($1) IS NOT NULL', `chunks_of_${indexId}`)
  if (!left) await createTables(sql, indexId)
  await moveRows(sql, { indexId, limit: FIRST_ROWS })
  await sql.run(`ANALYZE ${tablesOf(indexId).join(', ')}`)
  await sql.run('UPDATE indexes SET has_tables = true WHERE id = $1', indexId)
  return true
}

async function createTables(sql: SqlSession, indexId: number): Promise<void> {
  for (const table of SPLIT_TABLES) {
    const own = `${table}_of_${indexId}`
    const isOfIndex = table === 'vectors' ? '' : ` AND index_id = ${indexId}`
    await sql.run(
      `CREATE TABLE ${own} (LIKE ${table}_shared INCLUDING DEFAULTS INCLUDING INDEXES INCLUDING STORAGE,
         CHECK (own = ${indexId}${isOfIndex}))`,
    )
    await sql.run(`ALTER TABLE ${table} ATTACH PARTITION ${own} FOR VALUES IN (${indexId})`)
  }
}

/** Drops the tables of an index that is removed, with all that is in them. */
export async function dropOwnTables(sql: SqlSession, indexId: number): Promise<void> {
  // A vacuum of them ends for it; whoever reads the other tables is let through after a moment.
  await sql.run(waitAtMost(WAIT_MS.vacuum))
  await sql.run(`LOCK TABLE ${tablesOf(indexId).join(', ')} IN ACCESS EXCLUSIVE MODE`)
  await sql.run(waitAtMost(WAIT_MS.others))
  await sql.run(`DROP TABLE ${tablesOf(indexId).join(', ')}`)
  await sql.run('UPDATE indexes SET has_tables = false WHERE id = $1', indexId)
}

/** Drops tables of indexes that are gone: a member that knows no such tables has swept the index. */
export async function dropLeftTables({ reader, transaction }: PostgresDatabase): Promise<void> {
  const left = await reader.all<{ id: number }>(
    `SELECT id FROM (SELECT substring(relname from '^chunks_of_([0-9]+)$')::bigint AS id FROM pg_inherits
       JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = 'chunks'::regclass) AS made
     WHERE id IS NOT NULL AND id NOT IN (SELECT indexes.id FROM indexes)`,
  )
  for (const { id } of left) await transaction((sql) => dropOwnTables(sql, id), { repeatable: true })
}

/** The shared tables of before that have not been looked through. */
const defaultPartitions = (sql: SqlSession): Promise<{ name: string }[]> =>
  sql.all<{ name: string }>(
    `SELECT partrelid::regclass::text AS name FROM pg_partitioned_table
     WHERE partrelid IN (${SPLIT_TABLES.map((table) => `'${table}'::regclass`).join(', ')}) AND partdefid <> 0`,
  )

/**
 * Looks through the shared tables of a large database of before, once: that they have no row of another index is what PostgreSQL wants to
 * know before it makes further tables. Meanwhile others read and write them.
 */
export async function settleSharedTables({ reader, transaction }: PostgresDatabase): Promise<void> {
  for (const { name } of await defaultPartitions(reader)) {
    const options = { limitMs: LOOK_MS, repeatable: true }
    await transaction(
      (sql) => sql.run(`ALTER TABLE ${name}_shared VALIDATE CONSTRAINT ${name}_shared_own`),
      options,
    )
    await transaction(async (sql) => {
      await sql.run('SELECT pg_advisory_xact_lock($1)', LOCK)
      if (!(await defaultPartitions(sql)).some((left) => left.name === name)) return
      await sql.run(waitAtMost(WAIT_MS.others))
      await sql.run(`ALTER TABLE ${name} DETACH PARTITION ${name}_shared`)
      await sql.run(`ALTER TABLE ${name} ATTACH PARTITION ${name}_shared FOR VALUES IN (0)`)
    }, options)
  }
}

/** Moves some rows of an index from the shared tables to its own, `limit` of a table at most. Returns whether there are more. */
export async function moveToOwnTables(
  sql: SqlSession,
  { indexId, limit }: { indexId: number; limit: number },
): Promise<boolean> {
  // As a sweep: a run that begins at the same time waits.
  const index = await sql.get('SELECT 1 FROM indexes WHERE id = $1 AND has_tables FOR UPDATE', indexId)
  const open = await sql.get(`SELECT 1 FROM runs WHERE index_id = $1 AND state = 'open'`, indexId)
  return index && !open ? moveRows(sql, { indexId, limit }) : false
}

/** Returns whether there may be more. */
async function moveRows(
  sql: SqlSession,
  { indexId, limit }: { indexId: number; limit: number },
): Promise<boolean> {
  const chunks = await sql.run(
    `UPDATE chunks SET own = $1 WHERE own = 0 AND id IN (SELECT id FROM chunks WHERE own = 0 AND index_id = $1 LIMIT $2)`,
    indexId,
    limit,
  )
  const passages = await sql.run(
    `WITH moved AS (UPDATE passages SET own = $1 WHERE own = 0
         AND id IN (SELECT id FROM passages WHERE own = 0 AND index_id = $1 LIMIT $2) RETURNING id),
       with_them AS (UPDATE vectors SET own = $1 FROM moved WHERE vectors.own = 0 AND passage_id = moved.id)
     SELECT id FROM moved`,
    indexId,
    limit,
  )
  return chunks === limit || passages === limit
}

/** The condition that an index is to get tables, or has some and rows that are not in them. */
export const toBeMoved = ({ from, most }: OwnTables): string => `(NOT has_tables AND chunks >= ${from}
  AND (SELECT count(*) FROM indexes AS others WHERE others.has_tables) < ${most}
  OR has_tables AND (EXISTS (SELECT 1 FROM passages WHERE own = 0 AND passages.index_id = indexes.id)
    OR EXISTS (SELECT 1 FROM chunks WHERE own = 0 AND chunks.index_id = indexes.id)))`
