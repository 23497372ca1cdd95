import type { Metric } from '../../contract/retrieval.ts'
import type { EngineCandidate, EngineRequest } from '../../contract/vector-engine.ts'
import type { SqlSession, SqlTransaction } from '../../db/postgres/session.ts'
import { filterSql, SqlParameters } from './filter-sql.ts'
import { GRAPH_FROM } from './graph.ts'
import { type CollectionTable, DISTANCE, operatorClass, RUN, type TableState } from './tables.ts'
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

/** Which rows a search may find. */
type Narrowing = { filter: EngineRequest['filter']; withoutRuns: readonly number[] }

type NarrowedSearch = Omit<Search, keyof Narrowing> & Narrowing & { isNarrowed: boolean; isHalf: boolean }

/** The closest rows of a table to a vector, with their scores. */
export async function searchTable(
  sql: SqlTransaction,
  table: CollectionTable,
  state: TableState,
  request: Search,
): Promise<EngineCandidate[]> {
  const { metric, limit } = request
  const narrowing: Narrowing = {
    filter: request.filter,
    withoutRuns: state.hasRuns ? (request.withoutRuns ?? []) : [],
  }
  const isNarrowed = narrowing.filter !== undefined || narrowing.withoutRuns.length > 0
  const isHalf = state.type === 'halfvec' && fitsHalf(request.vector)
  const hasGraph =
    isHalf === (state.type === 'halfvec') && state.graphs.includes(operatorClass(state.type, metric))
  const search = { ...request, ...narrowing, isNarrowed, isHalf }
  const { visible } = request
  // Where readers see few, they are compared, as in a table without others: the graph leads through all of these first.
  const isSmall = visible !== undefined && visible < GRAPH_FROM
  if (isSmall && narrowing.withoutRuns.length > 0 && state.findsRuns && state.rows > 2 * visible)
    await sql.all(`SELECT set_config('enable_seqscan', 'off', true)`)
  if (
    !hasGraph ||
    isSmall ||
    (isNarrowed && (await countMeeting(sql, table, state, narrowing)) <= EXACT_ROWS)
  )
    return closest(sql, table, search, { exact: true })
  const width = Math.min(WIDEST, Math.max(isNarrowed ? WIDTH.filtered : WIDTH.plain, 2 * limit))
  await sql.all(
    `SELECT set_config('hnsw.ef_search', $1, true), set_config('hnsw.iterative_scan', 'relaxed_order', true),
       set_config('hnsw.max_scan_tuples', $2, true)`,
    String(width),
    String(MOST_SCANNED),
  )
  return closest(sql, table, search, { exact: false })
}

/** The condition of the rows that a search may find. */
const conditionOf = ({ filter, withoutRuns }: Narrowing, parameters: SqlParameters): string =>
  [
    ...(filter ? [filterSql(filter, parameters)] : []),
    ...(withoutRuns.length > 0 ? [otherRuns(withoutRuns, parameters)] : []),
  ].join(' AND ')

/** The condition of rows of no run or of others than these, as ranges, which an index finds. */
function otherRuns(runs: readonly number[], parameters: SqlParameters): string {
  const places = runs.toSorted((one, other) => one - other).map((run) => `${parameters.add(run)}::bigint`)
  const between = places.slice(1).map((next, at) => `(${RUN} > ${places[at]} AND ${RUN} < ${next})`)
  return `(${[`${RUN} IS NULL`, `${RUN} < ${places[0]}`, ...between, `${RUN} > ${places.at(-1)}`].join(' OR ')})`
}

/** About how many rows a search may find, from a sample. */
async function countMeeting(
  sql: SqlSession,
  { name }: CollectionTable,
  { rows }: TableState,
  narrowing: Narrowing,
): Promise<number> {
  if (rows <= EXACT_ROWS) return rows
  const parameters = new SqlParameters()
  const condition = conditionOf(narrowing, parameters)
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
  { vector, metric, limit, vectors, isNarrowed, isHalf, ...narrowing }: NarrowedSearch,
  { exact }: { exact: boolean },
): Promise<EngineCandidate[]> {
  const parameters = new SqlParameters()
  const query = parameters.add(vectorText(vector))
  const own = isHalf ? `embedding ${DISTANCE[metric]} ${query}::text::halfvec` : distanceSql(metric, query)
  const condition = isNarrowed ? `WHERE ${conditionOf(narrowing, parameters)}` : ''
  const rows = await sql.all<{ id: string; distance: number; vector?: Uint8Array }>(
    `SELECT id, ${distanceSql(metric, query)} AS distance${vectors ? ', vector_send(embedding::vector) AS vector' : ''}
     FROM (SELECT id, embedding FROM ${name} ${condition}
       ORDER BY ${exact ? `(${own}) + 0` : own} LIMIT ${parameters.add(exact || !isNarrowed ? limit : limit * TAKEN)}) AS best
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
