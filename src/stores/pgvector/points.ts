import type { Metadata } from '../../contract/document.ts'
import type { PointContent } from '../../contract/ledger.ts'
import type { Point, Repair } from '../../contract/vector-engine.ts'
import { canonicalJson, type Json, parseJson } from '../../kit/json.ts'
import type { ReadPoint } from '../compare-points.ts'
import { CopyRows } from '../../db/postgres/copy-rows.ts'
import {
  askClient,
  copyRows,
  sessionOf,
  type SqlSession,
  type SqlTransaction,
} from '../../db/postgres/session.ts'
import type { PgVectorConnection } from './connection.ts'
import { storableJson, storableText } from './storable.ts'
import { addRuns, type CollectionTable, createTable, quoted, RUN, tableState } from './tables.ts'
import { fitsHalf, readVector, vectorBytes } from './vectors.ts'

/** Numbers that the binary form of `jsonb` begins with. */
const JSONB_VERSION = 1

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
  if (!state.hasRuns) await addRuns(sql, table)
  const type =
    state.type === 'halfvec' && wanted === 'vector' ? await widen(sql, table, dimensions) : state.type
  await sql.run(
    `DELETE FROM ${table.name} WHERE id = ANY($1)`,
    points.map(({ id }) => storableText(id)),
  )
  const rows = new CopyRows(['text', 'text', 'bytea', 'bytea', 'bigint'])
  for (const { id, text, metadata, vector, run } of points)
    rows.add(
      ...[storableText(id), storableText(text), jsonbBytes(metadata), vectorBytes(type, vector), run ?? null],
    )
  await sql.copyIn(`${table.name} (id, "pageContent", metadata, embedding, ${RUN})`, rows)
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

/** How many points one read of a comparison brings. */
const POINTS_A_READ = 1000

/** Some points of a table, and the last id of them where there may be more. */
export type PointPage = { points: ReadPoint[]; next: string | undefined }

/** The next points of a table after an id, in order. */
export async function readPoints(
  sql: SqlSession,
  { name }: CollectionTable,
  after: string | null,
): Promise<PointPage> {
  const rows = await sql.all<{ id: string; text: string; metadata: string }>(
    `SELECT id, "pageContent" AS text, metadata::text AS metadata FROM ${name}
     WHERE $1::text IS NULL OR id > $1 ORDER BY id LIMIT ${POINTS_A_READ}`,
    after,
  )
  const points = rows.map(({ id, text, metadata }) => ({
    id,
    content: canonicalJson([text, parseJson(metadata) ?? null]),
  }))
  return { points, next: rows.length < POINTS_A_READ ? undefined : rows.at(-1)!.id }
}

/** What a table has of a text and metadata, as `readPoints` gives it. */
export const storedContent = ({ text, metadata }: PointContent): string =>
  canonicalJson([storableText(text), JSON.parse(storableJson(metadata)) as Json])

/**
 * Removes the points that are not expected, and finds the expected ones that are not there. All in one transaction that is never
 * repeated: the expected ids can be read only once.
 */
export function repairTable(
  connection: PgVectorConnection,
  table: CollectionTable,
  expected: AsyncIterable<string[]>,
): Promise<Repair> {
  return connection.use(async (client) => {
    const sql = sessionOf((text, values) => askClient(client, text, values))
    await sql.run('BEGIN')
    try {
      const exists = (await tableState(sql, table.name)) !== undefined
      await sql.run('CREATE TEMPORARY TABLE expected_points (id text) ON COMMIT DROP')
      for await (const ids of expected) {
        const rows = new CopyRows(['text'])
        for (const id of ids) rows.add(id)
        await copyRows(client, 'expected_points (id)', rows)
      }
      const points = exists ? table.name : '(SELECT NULL::text AS id WHERE false)'
      await sql.run('ANALYZE expected_points')
      const missing = await sql.all<{ id: string }>(
        `SELECT DISTINCT id FROM expected_points WHERE NOT EXISTS (SELECT FROM ${points} AS p WHERE p.id = expected_points.id)`,
      )
      const removed = exists
        ? await sql.run(
            `DELETE FROM ${table.name} AS p WHERE NOT EXISTS (SELECT FROM expected_points AS e WHERE e.id = p.id)`,
          )
        : 0
      await sql.run('COMMIT')
      return { removed, missing: missing.map(({ id }) => id) }
    } catch (error) {
      await sql.run('ROLLBACK').catch(() => {})
      throw error
    }
  })
}
