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
    const ask = async <T extends SqlRow>(sql: string, ...values: SqlValue[]) =>
      (await askClient(client, sql, values, NO_LIMIT_MS)).rows as T[]
    const sql = sessionOf((text, values) => askClient(client, text, values, NO_LIMIT_MS))
    const before = await limitsOf(client)
    const [lock] = await ask<{ got: boolean }>(
      'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS got',
      table.key,
    )
    if (!lock?.got) return false
    try {
      const state = await tableState(sql, table.name)
      if (!state || state.dimensions > MOST_DIMENSIONS[state.type]) return false
      if (state.hasRuns && state.owned && !state.findsRuns) await indexRuns(ask, table)
      const wanted = operatorClass(state.type, metric)
      if (state.graphs.includes(wanted)) return true
      const [counted] = await ask<{ rows: number }>(
        `SELECT count(*) AS rows FROM (SELECT FROM ${table.name} LIMIT $1) AS counted`,
        from,
      )
      if (counted!.rows < from) return false
      await setLimits(client, { ...before, statement_timeout: '0', lock_timeout: '0' })
      await ask(
        `SELECT set_config('maintenance_work_mem', $1, false)
         WHERE pg_size_bytes(current_setting('maintenance_work_mem')) < pg_size_bytes($1)`,
        BUILD_MEMORY,
      )
      const schema = table.name.slice(0, table.name.length - quoted(table.plainName).length)
      for (const index of [table.graph, table.fields])
        await ask(`DROP INDEX CONCURRENTLY IF EXISTS ${schema}${quoted(index)}`)
      await ask(
        `CREATE INDEX CONCURRENTLY ${quoted(table.fields)} ON ${table.name} USING gin (metadata jsonb_path_ops)`,
      )
      await ask(
        `CREATE INDEX CONCURRENTLY ${quoted(table.graph)} ON ${table.name} USING hnsw (embedding ${wanted}) WITH (${GRAPH})`,
      )
      await ask(`ANALYZE ${table.name}`)
      return true
    } finally {
      await ask('SELECT pg_advisory_unlock(hashtextextended($1, 0))', table.key)
      await setLimits(client, before)
    }
  })
}

/** Gives a table of an earlier version the index of its runs. What an interrupted build has left is removed first. */
async function indexRuns(
  ask: (sql: string) => Promise<unknown>,
  { name, plainName, runs }: CollectionTable,
): Promise<void> {
  const schema = name.slice(0, name.length - quoted(plainName).length)
  await ask(`DROP INDEX CONCURRENTLY IF EXISTS ${schema}${quoted(runs)}`)
  await ask(`CREATE INDEX CONCURRENTLY ${quoted(runs)} ON ${name} (${RUN})`)
}

/**
 * Gives the space of deleted rows back, in the table and in its graph, which leads through them until then. Without the right to do so
 * PostgreSQL leaves it to its own process, which comes every minute.
 */
export const vacuumTable = (connection: PgVectorConnection, { name }: CollectionTable): Promise<void> =>
  connection.use(async (client) => {
    const before = await limitsOf(client)
    await setLimits(client, { ...before, statement_timeout: '0', lock_timeout: '0' })
    try {
      await askClient(client, `VACUUM (ANALYZE) ${name}`, [], NO_LIMIT_MS)
    } finally {
      await setLimits(client, before)
    }
  })

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
