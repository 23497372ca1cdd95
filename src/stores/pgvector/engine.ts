import type { ConnectedEngine } from '../../contract/engine-source.ts'
import type { Metric } from '../../contract/retrieval.ts'
import type { SqlTransaction } from '../../db/postgres/session.ts'
import { pgVectorCapabilities } from './capabilities.ts'
import { pgVectorConnection, type PgVectorServer } from './connection.ts'
import { buildGraph, GRAPH_FROM, vacuumTable } from './graph.ts'
import { outsideRows, type OutsideTable } from './outside.ts'
import { withoutPatience } from '../../kit/patience.ts'
import { comparePoints, type ReadPoint } from '../compare-points.ts'
import {
  type PointPage,
  readChecks,
  readIds,
  readPoints,
  readVectors,
  storedContent,
  writePoints,
} from './points.ts'
import { sizeFault } from '../remote/size-fault.ts'
import { searchTable } from './search.ts'
import { type CollectionTable, type TableNames, tableOf, type TableState, tableState } from './tables.ts'

/** A graph is built when nothing was written into a table for so long, in milliseconds: one build is quicker than many inserts. */
const QUIET_MS = 5000

/** After so many deleted rows their space is given back: a search of the graph still leads through them. */
const VACUUM_FROM = 5000

export type PgVectorOptions = {
  /** The name of the engine, for messages. */
  name: string
  server: PgVectorServer
  tables: TableNames
  /** The metric that graphs are built for. Searches by another one compare all rows. */
  metric: Metric
  /** The column with the text in a table of another program. */
  outside: OutsideTable
  /** Whether vectors are kept with 32 bits a number, also where 16 are enough. */
  single?: boolean
  /** From so many rows on a table gets a graph, and how long it waits for more; for tests. */
  graphFrom?: number
  quietMs?: number
}

export type PgVectorEngine = ConnectedEngine & {
  close(): Promise<void>
  /** Builds the graphs that are due, without waiting for a quiet time. */
  buildGraphs(): Promise<void>
}

/** A vector engine in a PostgreSQL database with pgvector. Each collection is a table. */
export function pgVectorEngine(options: PgVectorOptions): PgVectorEngine {
  const {
    name,
    server,
    tables,
    metric,
    outside,
    single = false,
    graphFrom = GRAPH_FROM,
    quietMs = QUIET_MS,
  } = options
  const connection = pgVectorConnection(name, server)
  const timers = new Map<string, NodeJS.Timeout>()
  /** Rows written since the last look at the size of a table. */
  const due = new Map<string, CollectionTable>()
  /** Rows deleted since the last look. */
  const deleted = new Map<string, number>()
  let building = Promise.resolve()
  let closed = false

  /** All calls may be repeated: none adds to what is there. */
  const { transaction } = connection

  /** Undefined where the collection has no points. */
  const onTable = <T>(
    collection: string,
    work: (sql: SqlTransaction, table: CollectionTable, state: TableState) => Promise<T>,
  ): Promise<T | undefined> =>
    transaction(async (sql) => {
      const table = tableOf(tables, collection)
      const state = await tableState(sql, table.name)
      return state && work(sql, table, state)
    })

  async function* pages(collection: string): AsyncGenerator<ReadPoint[]> {
    const readAfter = (after: string | null): Promise<PointPage | undefined> =>
      onTable(collection, (sql, table, state) => readPoints(sql, table, state, after))
    for (let page = await readAfter(null); page; ) {
      yield page.points
      page = page.next === undefined ? undefined : await readAfter(page.next)
    }
  }

  function buildLater(table: CollectionTable): void {
    if (closed) return
    due.set(table.name, table)
    clearTimeout(timers.get(table.name))
    // It has not the patience of the work that has written.
    const later = () => void withoutPatience(build).catch(() => {})
    const timer = setTimeout(later, quietMs).unref()
    timers.set(table.name, timer)
  }

  /** One table after another. What fails is tried again after the next write or search. */
  function build(): Promise<void> {
    const work = building.then(async () => {
      for (const [key, table] of [...due]) {
        if (closed) return
        due.delete(key)
        const gone = deleted.get(key) ?? 0
        if (gone >= VACUUM_FROM) {
          deleted.delete(key)
          await vacuumTable(connection, table, { deleted: gone, from: graphFrom })
        }
        await buildGraph(connection, table, { metric, from: graphFrom })
      }
    })
    building = work.catch(() => {})
    return work
  }

  return {
    name,
    capabilities: pgVectorCapabilities(metric),

    async upsert(collection, points, { aside = false } = { later: false }) {
      if (points.length === 0) return
      const table = tableOf(tables, collection)
      await transaction((sql) => writePoints(sql, table, points, { single }))
      if (!aside) buildLater(table)
    },

    async delete(collection, ids) {
      await onTable(collection, async (sql, table) => {
        const count = await sql.run(`DELETE FROM ${table.name} WHERE id = ANY($1)`, ids)
        const all = (deleted.get(table.name) ?? 0) + count
        deleted.set(table.name, all)
        if (all >= VACUUM_FROM) buildLater(table)
      })
    },

    async vectors(collection, ids) {
      return (await onTable(collection, (sql, table) => readVectors(sql, table, ids))) ?? new Map()
    },

    async search(collection, request) {
      const { vector } = request
      if (!vector) return []
      const found = await onTable(collection, async (sql, table, state) => {
        // A table that an earlier process has filled, and left before its graph was built.
        if (state.graphs.length === 0 && state.rows >= graphFrom && !due.has(table.name)) buildLater(table)
        return searchTable(sql, table, state, { ...request, vector })
      })
      return found ?? []
    },

    async drop(collection) {
      const table = tableOf(tables, collection)
      clearTimeout(timers.get(table.name))
      timers.delete(table.name)
      due.delete(table.name)
      deleted.delete(table.name)
      await transaction((sql) => sql.run(`DROP TABLE IF EXISTS ${table.name}`))
    },

    async fault(collection, { dimensions }) {
      const { plainName } = tableOf(tables, collection)
      const name = `the table ${plainName}`
      const held = await onTable(collection, async (_sql, _table, state) => state.dimensions)
      return held === undefined ? `${name} is missing` : sizeFault(name, held, dimensions)
    },

    async checks(collection, ids) {
      return (
        (await onTable(collection, (sql, table, state) => readChecks(sql, table, state, ids))) ?? new Map()
      )
    },

    async *ids(collection) {
      const readAfter = (after: string | null) =>
        onTable(collection, (sql, table) => readIds(sql, table, after))
      for (let ids = await readAfter(null); ids && ids.length > 0; ids = await readAfter(ids.at(-1)!))
        yield ids
    },

    compare: (collection, expected) => comparePoints(pages(collection), expected, storedContent),

    outside: (request) => transaction((sql) => outsideRows(sql, { ...outside, ...tables, metric }, request)),

    buildGraphs: build,

    async close() {
      closed = true
      for (const timer of timers.values()) clearTimeout(timer)
      await building
      await connection.close()
    },
  }
}
