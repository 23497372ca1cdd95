import type { ClientBase } from 'pg'
import type { Metric } from '../../contract/retrieval.ts'
import { askClient, type SqlRow, type SqlValue, sessionOf } from '../../db/postgres/session.ts'
import type { PgVectorConnection } from './connection.ts'
import { type CollectionTable, operatorClass, quoted, RUN, tableState } from './tables.ts'

/** From so many rows on a table gets a graph: reading all of fewer takes some 15 ms. */
export const GRAPH_FROM = 20_000

/** More links and a wider search than pgvector's defaults (16, 64): recall@10 of real text is .98 in place of .92 at the same time. */
const GRAPH = 'm = 32, ef_construction = 128'

/** The most dimensions that a graph can have, by the type of the column. */
const MOST_DIMENSIONS = { halfvec: 4000, vector: 2000 }

/** A build reads the whole table, and takes a millisecond a row: there is no limit on its time. */
const NO_LIMIT_MS = 2 ** 31 - 1

/** The memory of a build unless the server gives more: without enough of it a build takes many times longer. */
const BUILD_MEMORY = '256MB'

/** A graph is made anew where fewer rows are left than so many times those that were deleted. */
const MANY_DELETED = 2

/**
 * Builds the indexes of a table that is large enough and has none: the graph (HNSW) of its vectors, and one for the fields of
 * filters. Readers and writers go on. One process at a time does this; what an interrupted build has left is removed first.
 *
 * @param from the rows from which on it is built
 * @returns whether the table has a graph now
 */
export async function buildGraph(
  connection: PgVectorConnection,
  table: CollectionTable,
  { metric, from }: { metric: Metric; from: number },
): Promise<boolean> {
  return connection.use(async (client) => {
    const ask = askOf(client)
    const sql = sessionOf((text, values) => askClient(client, text, values, NO_LIMIT_MS))
    const before = await limitsOf(client)
    const build = async () => {
      const state = await tableState(sql, table.name)
      if (!state || state.dimensions > MOST_DIMENSIONS[state.type]) return false
      if (state.hasRuns && state.owned && !state.findsRuns) await indexRuns(ask, table)
      const wanted = operatorClass(state.type, metric)
      if (state.graphs.includes(wanted)) return true
      if ((await countUpTo(ask, table, from)) < from) return false
      await setLimits(client, { ...before, statement_timeout: '0', lock_timeout: '0' })
      await giveMemory(ask)
      for (const index of [table.graph, table.fields])
        await ask(`DROP INDEX CONCURRENTLY IF EXISTS ${placeOf(table, index)}`)
      await ask(
        `CREATE INDEX CONCURRENTLY ${quoted(table.fields)} ON ${table.name} USING gin (metadata jsonb_path_ops)`,
      )
      await ask(
        `CREATE INDEX CONCURRENTLY ${quoted(table.graph)} ON ${table.name} USING hnsw (embedding ${wanted}) WITH (${GRAPH})`,
      )
      await ask(`ANALYZE ${table.name}`)
      return true
    }
    try {
      return (await alone(ask, table, build)) ?? false
    } finally {
      await setLimits(client, before)
    }
  })
}

/** Gives a table of an earlier version the index of its runs. What an interrupted build has left is removed first. */
async function indexRuns(ask: Ask, table: CollectionTable): Promise<void> {
  await ask(`DROP INDEX CONCURRENTLY IF EXISTS ${placeOf(table, table.runs)}`)
  await ask(`CREATE INDEX CONCURRENTLY ${quoted(table.runs)} ON ${table.name} (${RUN})`)
}

/**
 * Gives the space of deleted rows back, in the table and in its graph, which leads through them until then. Without the right to do so
 * PostgreSQL leaves it to its own process, which comes every minute.
 *
 * @param deleted how many rows were deleted
 * @param from the rows from which on a table has a graph
 */
export const vacuumTable = (
  connection: PgVectorConnection,
  table: CollectionTable,
  { deleted, from }: { deleted: number; from: number },
): Promise<void> =>
  connection.use(async (client) => {
    const ask = askOf(client)
    const before = await limitsOf(client)
    await setLimits(client, { ...before, statement_timeout: '0', lock_timeout: '0' })
    try {
      const most = Math.max(from, MANY_DELETED * deleted)
      const left = await countUpTo(ask, table, most)
      if (left < MANY_DELETED * deleted)
        await alone(ask, table, () => renewGraph(ask, table, { isWanted: left >= from }))
      await ask(`VACUUM (ANALYZE) ${table.name}`)
    } finally {
      await setLimits(client, before)
    }
  })

/**
 * Makes the graph of a table anew, or drops it where too few rows are left for one. A vacuum takes every deleted row out of the graph and
 * links its neighbours again: 100,000 of 102,000 rows took 23 minutes, a new graph takes a millisecond for each row that is left.
 */
async function renewGraph(
  ask: Ask,
  table: CollectionTable,
  { isWanted }: { isWanted: boolean },
): Promise<void> {
  const [role] = await ask<{ owns: boolean }>(
    `SELECT pg_has_role(relowner, 'USAGE') AS owns FROM pg_class WHERE oid = to_regclass($1)`,
    table.name,
  )
  // Its owner alone may do this; the vacuum only warns.
  if (!role?.owns) return
  const graph = placeOf(table, table.graph)
  // What an interrupted one has left, under a name that PostgreSQL gave.
  const invalid = await ask<{ index: string }>(
    `SELECT i.indexrelid::regclass::text AS index FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid
       JOIN pg_am m ON m.oid = x.relam
     WHERE i.indrelid = to_regclass($1) AND NOT i.indisvalid AND m.amname = 'hnsw'`,
    table.name,
  )
  for (const { index } of invalid) await ask(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`)
  if (!isWanted) {
    await ask(`DROP INDEX CONCURRENTLY IF EXISTS ${graph}`)
    return
  }
  const [found] = await ask<{ graph: string | null }>('SELECT to_regclass($1)::text AS graph', graph)
  if (found?.graph == null) return
  await giveMemory(ask)
  await ask(`REINDEX INDEX CONCURRENTLY ${graph}`)
}

type Ask = <T extends SqlRow>(sql: string, ...values: SqlValue[]) => Promise<T[]>

const askOf =
  (client: ClientBase): Ask =>
  async <T extends SqlRow>(sql: string, ...values: SqlValue[]) =>
    (await askClient(client, sql, values, NO_LIMIT_MS)).rows as T[]

/** Does work on the graph of a table, unless another process does some now: then undefined. */
async function alone<T>(ask: Ask, { key }: CollectionTable, work: () => Promise<T>): Promise<T | undefined> {
  const lock = 'hashtextextended($1, 0)'
  const [held] = await ask<{ got: boolean }>(`SELECT pg_try_advisory_lock(${lock}) AS got`, key)
  if (!held?.got) return undefined
  try {
    return await work()
  } finally {
    await ask(`SELECT pg_advisory_unlock(${lock})`, key)
  }
}

/** How many rows a table has; no more than `most` are counted. */
async function countUpTo(ask: Ask, { name }: CollectionTable, most: number): Promise<number> {
  const [counted] = await ask<{ rows: number }>(
    `SELECT count(*) AS rows FROM (SELECT FROM ${name} LIMIT $1) AS counted`,
    most,
  )
  return counted!.rows
}

/** An index of a table, as statements that drop it name it. */
const placeOf = ({ name, plainName }: CollectionTable, index: string): string =>
  `${name.slice(0, name.length - quoted(plainName).length)}${quoted(index)}`

/** Gives a build its memory, until the limits are set back. */
const giveMemory = (ask: Ask): Promise<SqlRow[]> =>
  ask(
    `SELECT set_config('maintenance_work_mem', $1, false)
     WHERE pg_size_bytes(current_setting('maintenance_work_mem')) < pg_size_bytes($1)`,
    BUILD_MEMORY,
  )

const LIMITED = ['statement_timeout', 'lock_timeout', 'maintenance_work_mem'] as const

async function limitsOf(client: ClientBase): Promise<Record<string, string>> {
  const { rows } = await askClient(
    client,
    'SELECT name, current_setting(name) AS value FROM unnest($1::text[]) AS name',
    [LIMITED],
  )
  return Object.fromEntries(
    (rows as { name: string; value: string }[]).map(({ name, value }) => [name, value]),
  )
}

const setLimits = (client: ClientBase, limits: Record<string, string>) =>
  askClient(
    client,
    'SELECT set_config(name, value, false) FROM unnest($1::text[], $2::text[]) AS s (name, value)',
    [Object.keys(limits), Object.values(limits)],
  )
