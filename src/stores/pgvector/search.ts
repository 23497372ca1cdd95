import type { Filter } from '../../contract/filter.ts'
import type { Metric } from '../../contract/retrieval.ts'
import type { EngineCandidate, EngineRequest } from '../../contract/vector-engine.ts'
import type { SqlSession, SqlTransaction } from '../../db/postgres/session.ts'
import { filterSql, SqlParameters } from './filter-sql.ts'
import { type CollectionTable, DISTANCE, operatorClass, type TableState } from './tables.ts'
import { fitsHalf, readVector, vectorText } from './vectors.ts'

/** Below so many rows that meet a filter, all of them are compared: that takes less time than a graph, which would miss some. */
export const EXACT_ROWS = 50_000

/** How many rows are looked at to find out how many meet a filter. */
const SAMPLED_ROWS = 2000

/** How many candidates the graph keeps while it is searched. A filter leaves a part of them only. */
const WIDTH = { plain: 400, filtered: 800 }
const WIDEST = 1000

/**
 * How many more rows than wanted are taken from the graph: with a filter it gives them out of order, and where the closest do not meet
 * the filter, the first that do are not the best.
 */
const TAKEN = 20

/** The most rows that a search of the graph may look at while it looks for those that meet a filter. */
const MOST_SCANNED = 200_000

type Search = EngineRequest & { vector: Float32Array }

/** The closest rows of a table to a vector, with their scores. */
export async function searchTable(
  sql: SqlTransaction,
  table: CollectionTable,
  state: TableState,
  request: Search,
): Promise<EngineCandidate[]> {
  const { metric, filter, limit } = request
  const isHalf = state.type === 'halfvec' && fitsHalf(request.vector)
  const hasGraph =
    isHalf === (state.type === 'halfvec') && state.graphs.includes(operatorClass(state.type, metric))
  if (!hasGraph || (filter && (await countMeeting(sql, table, state, filter)) <= EXACT_ROWS))
    return closest(sql, table, request, { exact: true, isHalf })
  const width = Math.min(WIDEST, Math.max(filter ? WIDTH.filtered : WIDTH.plain, 2 * limit))
  await sql.all(
    `SELECT set_config('hnsw.ef_search', $1, true), set_config('hnsw.iterative_scan', 'relaxed_order', true),
       set_config('hnsw.max_scan_tuples', $2, true)`,
    String(width),
    String(MOST_SCANNED),
  )
  return closest(sql, table, request, { exact: false, isHalf })
}

/** About how many rows meet a filter, from a sample. */
async function countMeeting(
  sql: SqlSession,
  { name }: CollectionTable,
  { rows }: TableState,
  filter: Filter,
): Promise<number> {
  if (rows <= EXACT_ROWS) return rows
  const parameters = new SqlParameters()
  const condition = filterSql(filter, parameters)
  const percent = parameters.add((100 * SAMPLED_ROWS) / rows)
  const sample = await sql.get<{ seen: number; met: number }>(
    `SELECT count(*) AS seen, count(*) FILTER (WHERE ${condition}) AS met
     FROM ${name} TABLESAMPLE SYSTEM (${percent}::float8)`,
    ...parameters.values,
  )
  const { seen, met } = sample!
  return seen === 0 ? 0 : (met / seen) * rows
}

/**
 * `exact`: compares every row that meets the filter; otherwise the graph is searched. The order is by 16 bits a number where the
 * table has those; the scores of the best are computed with 32.
 */
async function closest(
  sql: SqlSession,
  { name }: CollectionTable,
  { vector, metric, limit, filter, vectors }: Search,
  { exact, isHalf }: { exact: boolean; isHalf: boolean },
): Promise<EngineCandidate[]> {
  const parameters = new SqlParameters()
  const query = parameters.add(vectorText(vector))
  const own = isHalf ? `embedding ${DISTANCE[metric]} ${query}::text::halfvec` : distanceSql(metric, query)
  const condition = filter ? `WHERE ${filterSql(filter, parameters)}` : ''
  const rows = await sql.all<{ id: string; distance: number; vector?: Uint8Array }>(
    `SELECT id, ${distanceSql(metric, query)} AS distance${vectors ? ', vector_send(embedding::vector) AS vector' : ''}
     FROM (SELECT id, embedding FROM ${name} ${condition}
       ORDER BY ${exact ? `(${own}) + 0` : own} LIMIT ${parameters.add(exact || !filter ? limit : limit * TAKEN)}) AS best
     ORDER BY distance LIMIT ${parameters.add(limit)}`,
    ...parameters.values,
  )
  return rows.flatMap(({ id, distance, vector: bytes }) => {
    // A vector of zeros has no angle.
    if (Number.isNaN(distance)) return []
    const found = { id, vectorScore: scoreOf(metric, distance), keywordScore: null, matched: null }
    return [bytes ? { ...found, vector: readVector(bytes) } : found]
  })
}

/** The distance of the column `embedding` to a query. @param query the place of its text */
export const distanceSql = (metric: Metric, query: string): string =>
  `embedding::vector ${DISTANCE[metric]} ${query}::text::vector`

/** The score of a distance, as answers give it. */
export function scoreOf(metric: Metric, distance: number): number {
  if (metric === 'cosine') return 1 - distance
  return metric === 'dot' ? -distance : 1 / (1 + distance)
}
