import { setImmediate } from 'node:timers/promises'
import type { SourceRange } from '../../contract/conversation.ts'
import type { SqlSession } from '../sql/session.ts'
import { allOf, type SqlWhere } from '../sql/statements.ts'
import { rowsWhereIndexIs } from './rows-of-index.ts'
import { namesWithin, VISIBLE } from './visible.ts'

/** Which chunks: of some sources, or of a range; without one, of the sources that belong to no conversation. */
export type Visible = { sources?: readonly string[] | undefined; range?: SourceRange | undefined }

/** How many chunks, or sources, one step reads before other work runs: a few milliseconds. */
const STEP = 500

/**
 * What is read of each chunk besides its id and the name of its source, and a condition: those that do not meet it are left out by the
 * database, since a row takes longer to hand over than to look at.
 */
export type ChunkColumns = { columns: string; which?: SqlWhere }

export type VisibleChunk<Columns> = Columns & { id: number; source: string }

/**
 * Every visible chunk, source by source in the order of their names, in steps between which other work runs. What is visible from the
 * first step to the last comes exactly once; of what is published or removed meanwhile, each chunk may come or not.
 */
export async function* eachVisible<Columns extends object>(
  sql: SqlSession,
  indexId: number,
  { sources, range }: Visible,
  read: ChunkColumns,
): AsyncGenerator<VisibleChunk<Columns>[]> {
  const named = sources ? namedSources(sql, indexId, sources) : sourcesWithin(sql, indexId, range)
  for await (const found of named)
    for (const group of groupsOf(found)) {
      const [first] = group
      const steps =
        group.length === 1
          ? chunksOfSource<Columns>(sql, indexId, first!, read)
          : chunksOfSources<Columns>(sql, indexId, group, read)
      for await (const chunks of steps) {
        if (chunks.length > 0) yield chunks
        await setImmediate()
      }
    }
}

/** `chunks`: how many readers see. */
type Source = { id: number; name: string; chunks: number }

/** Sources in groups that have about as many chunks as a step; a large one is alone. */
function* groupsOf(sources: readonly Source[]): Generator<Source[]> {
  let group: Source[] = []
  let held = 0
  for (const source of sources) {
    if (group.length > 0 && held + source.chunks > STEP) {
      yield group
      group = []
      held = 0
    }
    group.push(source)
    held += source.chunks
  }
  if (group.length > 0) yield group
}

/** The sources of a range by name, a step at a time. */
async function* sourcesWithin(
  sql: SqlSession,
  indexId: number,
  range: SourceRange | undefined,
): AsyncGenerator<Source[]> {
  const within = namesWithin(range)
  for (let after = ''; ; ) {
    const found = await sql.all<Source>(
      `SELECT id, name, chunks FROM sources WHERE index_id = ? AND ${within.sql} AND name > ? AND chunks > 0
       ORDER BY name LIMIT ?`,
      indexId,
      ...within.values,
      after,
      STEP,
    )
    yield found
    if (found.length < STEP) return
    after = found.at(-1)!.name
  }
}

/** Those of some names that are sources, by name. */
async function* namedSources(
  sql: SqlSession,
  indexId: number,
  names: readonly string[],
): AsyncGenerator<Source[]> {
  // All at once: a step of the names would not be in the order of the others.
  const found = await sql.all<Source>(
    'SELECT id, name, chunks FROM sources WHERE index_id = ? AND name IN (?) AND chunks > 0 ORDER BY name',
    indexId,
    names,
  )
  yield found
}

/** The visible chunks of small sources. */
async function* chunksOfSources<Columns extends object>(
  sql: SqlSession,
  indexId: number,
  sources: readonly Source[],
  { columns, which: { where, values } = allOf() }: ChunkColumns,
): AsyncGenerator<VisibleChunk<Columns>[]> {
  const rows = await sql.all<Columns & { id: number; ofSource: number }>(
    `SELECT id, source_id AS "ofSource", ${columns} FROM ${rowsWhereIndexIs(sql, 'chunks', indexId)}
     WHERE source_id IN (?) AND ${VISIBLE} AND ${where} ORDER BY id`,
    sources.map(({ id }) => id),
    ...values,
  )
  const bySource = Map.groupBy(rows, ({ ofSource }) => ofSource)
  yield sources.flatMap(({ id, name }) => (bySource.get(id) ?? []).map((row) => ({ ...row, source: name })))
}

/** The visible chunks of a source, at most {@link STEP} at a time, in the order of the index over them. */
async function* chunksOfSource<Columns extends object>(
  sql: SqlSession,
  indexId: number,
  { id: sourceId, name }: Source,
  { columns, which: { where, values } = allOf() }: ChunkColumns,
): AsyncGenerator<VisibleChunk<Columns>[]> {
  const chunks = rowsWhereIndexIs(sql, 'chunks', indexId)
  for (let after = { passageId: -1, id: -1 }; ; ) {
    // Where a step ends is found first, in the index alone: its length does not depend on how many chunks meet the condition.
    const last = await sql.get<{ passageId: number; id: number }>(
      `SELECT passage_id AS "passageId", id FROM ${chunks} WHERE source_id = ? AND (passage_id, id) > (?, ?)
       ORDER BY passage_id, id LIMIT 1 OFFSET ${STEP - 1}`,
      sourceId,
      after.passageId,
      after.id,
    )
    const rows = await sql.all<Columns & { id: number }>(
      `SELECT id, ${columns} FROM ${chunks} WHERE source_id = ? AND (passage_id, id) > (?, ?)
         ${last ? 'AND (passage_id, id) <= (?, ?)' : ''} AND ${VISIBLE} AND ${where} ORDER BY passage_id, id`,
      sourceId,
      after.passageId,
      after.id,
      ...(last ? [last.passageId, last.id] : []),
      ...values,
    )
    yield rows.map((row) => ({ ...row, source: name }))
    if (!last) return
    after = last
  }
}
