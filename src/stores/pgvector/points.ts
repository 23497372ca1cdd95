import type { Metadata } from '../../contract/document.ts'
import type { PointContent } from '../../contract/ledger-points.ts'
import type { Point, PointChecks } from '../../contract/vector-engine.ts'
import { canonicalJson, type Json, parseJson } from '../../kit/json.ts'
import type { ReadPoint } from '../compare-points.ts'
import { CopyRows } from '../../db/postgres/copy-rows.ts'
import type { SqlSession, SqlTransaction } from '../../db/postgres/session.ts'
import { storableJson, storableText } from './storable.ts'
import { vectorCheck } from '../vector-check.ts'
import {
  addChecks,
  addRuns,
  CHECK,
  type CollectionTable,
  createTable,
  quoted,
  RUN,
  type TableState,
  tableState,
} from './tables.ts'
import { fitsHalf, readVector, vectorBytes } from './vectors.ts'

/** Numbers that the binary form of `jsonb` begins with. */
const JSONB_VERSION = 1
/** How many points one read of a comparison brings. */
const POINTS_A_READ = 1000

/**
 * Writes points; those with known ids take the place of the earlier ones. A table begins with its first points.
 *
 * @param single whether the vectors are kept with 32 bits a number, also where 16 are enough
 */
export async function writePoints(
  sql: SqlTransaction,
  table: CollectionTable,
  given: readonly Point[],
  { single }: { single: boolean },
): Promise<void> {
  const points = [...new Map(given.map((point) => [point.id, point])).values()]
  const dimensions = points[0]!.vector.length
  const wanted = !single && points.every(({ vector }) => fitsHalf(vector)) ? 'halfvec' : 'vector'
  let state = await tableState(sql, table.name)
  if (!state) {
    await createTable(sql, table, { type: wanted, dimensions })
    state = (await tableState(sql, table.name))!
  }
  const type =
    state.type === 'halfvec' && wanted === 'vector' ? await widen(sql, table, dimensions) : state.type
  const hasChecks = state.checks || state.owned
  if (hasChecks && !state.checks) await addChecks(sql, table)
  const hasRuns = state.hasRuns || state.owned
  if (hasRuns && !state.hasRuns) await addRuns(sql, table)
  await sql.run(
    `DELETE FROM ${table.name} WHERE id = ANY($1)`,
    points.map(({ id }) => storableText(id)),
  )
  const rows = new CopyRows([
    ...(['text', 'text', 'bytea', 'bytea'] as const),
    ...(hasRuns ? (['bigint'] as const) : []),
    ...(hasChecks ? (['text'] as const) : []),
  ])
  for (const { id, text, metadata, vector, run = null, check = vectorCheck(vector) } of points) {
    const row = [storableText(id), storableText(text), jsonbBytes(metadata), vectorBytes(type, vector)]
    rows.add(...row, ...(hasRuns ? [run] : []), ...(hasChecks ? [check] : []))
  }
  const own = [...(hasRuns ? [RUN] : []), ...(hasChecks ? [CHECK] : [])]
  const columns = ['id', '"pageContent"', 'metadata', 'embedding', ...own].join(', ')
  await sql.copyIn(`${table.name} (${columns})`, rows)
}

/** Gives a table 32 bits a number: some number does not fit into 16. Its graph goes, and is built again later. */
async function widen(sql: SqlTransaction, table: CollectionTable, dimensions: number): Promise<'vector'> {
  const schema = table.name.slice(0, table.name.length - quoted(table.plainName).length)
  await sql.run(`DROP INDEX IF EXISTS ${schema}${quoted(table.graph)}`)
  await sql.run(
    `ALTER TABLE ${table.name} ALTER COLUMN embedding TYPE vector(${Math.trunc(dimensions)}) USING embedding::vector`,
  )
  return 'vector'
}

const jsonbBytes = (metadata: Metadata): Uint8Array => {
  const text = Buffer.from(storableJson(metadata))
  return Buffer.concat([Buffer.of(JSONB_VERSION), text])
}

/** The vectors of some points; unknown ids are left out. */
export async function readVectors(
  sql: SqlSession,
  { name }: CollectionTable,
  ids: readonly string[],
): Promise<Map<string, Float32Array>> {
  const rows = await sql.all<{ id: string; vector: Uint8Array }>(
    `SELECT id, vector_send(embedding::vector) AS vector FROM ${name} WHERE id = ANY($1)`,
    ids,
  )
  return new Map(rows.map(({ id, vector }) => [id, readVector(vector)]))
}

/** Which of some points there are, with the checks of their vectors. */
export async function readChecks(
  sql: SqlSession,
  { name }: CollectionTable,
  { checks }: Pick<TableState, 'checks'>,
  ids: readonly string[],
): Promise<PointChecks> {
  const rows = await sql.all<{ id: string; check: string | null }>(
    `SELECT id, ${checkColumn(checks)} FROM ${name} WHERE id = ANY($1)`,
    ids,
  )
  return new Map(rows.map(({ id, check }) => [id, check]))
}

const checkColumn = (exists: boolean) => `${exists ? CHECK : 'NULL::text'} AS "check"`

/** The ids of some points after an id, in order. */
export async function readIds(
  sql: SqlSession,
  { name }: CollectionTable,
  after: string | null,
): Promise<string[]> {
  const rows = await sql.all<{ id: string }>(
    `SELECT id FROM ${name} WHERE $1::text IS NULL OR id > $1 ORDER BY id LIMIT ${POINTS_A_READ}`,
    after,
  )
  return rows.map(({ id }) => id)
}

/** Some points of a table, and the last id of them where there may be more. */
export type PointPage = { points: ReadPoint[]; next: string | undefined }

/** The next points of a table after an id, in order. */
export async function readPoints(
  sql: SqlSession,
  { name }: CollectionTable,
  { checks }: Pick<TableState, 'checks'>,
  after: string | null,
): Promise<PointPage> {
  const rows = await sql.all<{ id: string; text: string; metadata: string; check: string | null }>(
    `SELECT id, "pageContent" AS text, metadata::text AS metadata, ${checkColumn(checks)} FROM ${name}
     WHERE $1::text IS NULL OR id > $1 ORDER BY id LIMIT ${POINTS_A_READ}`,
    after,
  )
  const points = rows.map(({ id, text, metadata, check }) => ({
    ...{ id, check },
    content: canonicalJson([text, parseJson(metadata) ?? null]),
  }))
  return { points, next: rows.length < POINTS_A_READ ? undefined : rows.at(-1)!.id }
}

/** What a table has of a text and metadata, as `readPoints` gives it. */
export const storedContent = ({ text, metadata }: PointContent): string =>
  canonicalJson([storableText(text), JSON.parse(storableJson(metadata)) as Json])
