import type { Publication } from '../../contract/ledger.ts'
import { markPublished } from '../ledger/mark-published.ts'
import { markRemoved } from '../ledger/mark-removed.ts'
import { noteOutdated } from '../ledger/outdated.ts'
import { noteLoads } from '../ledger/source-loads.ts'
import { noteChunkEdits } from '../repositories/chunk-edits.ts'
import { droppedColumn, gapsColumn } from '../rows/dropped.ts'
import { endRemovals } from './removed-sources.ts'
import type { SqlSession } from './session.ts'

export type PublishRequest = Publication & {
  run: number
  indexId: number
  /** How many chunks this run has staged, by the names of their sources. */
  stagedOf: ReadonlyMap<string, number>
  now: number
}

/** Publishes a run in one transaction: its chunks become visible, and those that it removes invisible. */
export async function publishRun(sql: SqlSession, request: PublishRequest): Promise<void> {
  const { run, indexId, files, updatedSources, invalidatedFiles, receipt, now } = request
  await markPublished(sql, { run, receipt, now })
  await countChunks(sql, request)
  await noteChanges(sql, request)

  if (invalidatedFiles === 'all') await sql.run('DELETE FROM files WHERE index_id = $1', indexId)
  else if (invalidatedFiles.length > 0)
    await sql.run('DELETE FROM files WHERE index_id = $1 AND name = ANY($2)', indexId, invalidatedFiles)
  if (files.length > 0)
    await sql.run(
      `INSERT INTO files (index_id, name, fingerprint, chunks)
       SELECT DISTINCT ON (name) $1::bigint, name, fingerprint, chunks
       FROM unnest($2::text[], $3::text[], $4::bigint[]) WITH ORDINALITY AS file (name, fingerprint, chunks, at)
       ORDER BY name, at DESC
       ON CONFLICT (index_id, name) DO UPDATE SET fingerprint = excluded.fingerprint, chunks = excluded.chunks`,
      indexId,
      files.map(({ name }) => name),
      files.map(({ fingerprint }) => fingerprint),
      files.map(({ chunks }) => chunks),
    )
  if (request.restorableUntil === undefined) await noteSources(sql, request)
  else await markRemoved(sql, { indexId, run, until: request.restorableUntil, sources: updatedSources })
  await noteLoads(sql, indexId, request.loads)
  await endRemovals(sql, indexId, request.restoredSources ?? [])
  await noteOutdated(sql, request)
  await noteChunkEdits(sql, request)
}

/** How many ids one statement takes. */
const IDS_A_STATEMENT = 10_000

/** Marks removed chunks, and brings the counts of the index and of its sources up to date. */
async function countChunks(
  sql: SqlSession,
  { run, indexId, stagedCount, stagedOf, removedChunkIds, movedChunks = [] }: PublishRequest,
): Promise<void> {
  let died = 0
  for (const ids of parts(removedChunkIds)) {
    const lost = await sql.all<{ count: number }>(
      `WITH dead AS (UPDATE chunks SET died = $1 WHERE own IN (0, $3) AND id = ANY($2) AND died IS NULL RETURNING source_id),
         lost AS (SELECT source_id, count(*) AS count FROM dead GROUP BY source_id)
       UPDATE sources SET chunks = chunks - count FROM lost WHERE id = source_id RETURNING count`,
      run,
      ids,
      indexId,
    )
    died += lost.reduce((sum, { count }) => sum + count, 0)
  }
  await sql.run('UPDATE indexes SET chunks = chunks + $1 WHERE id = $2', stagedCount - died, indexId)
  if (stagedOf.size > 0)
    await sql.run(
      `UPDATE sources SET chunks = chunks + gained FROM unnest($2::text[], $3::bigint[]) AS staged (source, gained)
       WHERE index_id = $1 AND name = source`,
      indexId,
      [...stagedOf.keys()],
      [...stagedOf.values()],
    )
  for (const moved of parts(movedChunks))
    await sql.run(
      `UPDATE chunks SET text_start = start, text_end = "end"
       FROM unnest($1::bigint[], $2::integer[], $3::integer[]) AS moved (chunk, start, "end") WHERE own IN (0, $4) AND id = chunk`,
      moved.map(({ id }) => id),
      moved.map(({ range }) => range.start),
      moved.map(({ range }) => range.end),
      indexId,
    )
}

/** Stores what the run removed and moved, for replicas that follow it. */
async function noteChanges(
  sql: SqlSession,
  { run, removedChunkIds, movedChunks = [] }: PublishRequest,
): Promise<void> {
  const removed = [...parts(removedChunkIds)]
  const moved = [...parts(movedChunks)]
  for (let part = 0; part < Math.max(removed.length, moved.length); part++)
    await sql.run(
      'INSERT INTO run_changes (run, part, removed, moved, starts, ends) VALUES ($1, $2, $3, $4, $5, $6)',
      run,
      part,
      removed[part] ?? [],
      (moved[part] ?? []).map(({ id }) => id),
      (moved[part] ?? []).map(({ range }) => range.start),
      (moved[part] ?? []).map(({ range }) => range.end),
    )
}

/** Stores when sources were read, by which job, and what the run has learned about them. */
async function noteSources(
  sql: SqlSession,
  { indexId, updatedSources, sourceFacts = [], receipt, now }: PublishRequest,
): Promise<void> {
  await endRemovals(sql, indexId, updatedSources)
  if (updatedSources.length > 0)
    await sql.run(
      'UPDATE sources SET updated_at = $1, job = coalesce($2, job) WHERE index_id = $3 AND name = ANY($4)',
      now,
      receipt?.job ?? null,
      indexId,
      updatedSources,
    )
  const facts = [...new Map(sourceFacts.map((fact) => [fact.source, fact])).values()]
  if (facts.length > 0)
    await sql.run(
      `UPDATE sources SET bytes = learned.bytes, characters = learned.characters, original = learned.original,
         original_type = learned.type, dropped = learned.rest, gaps = learned.gaps
       FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::text[],
         $8::text[]) AS learned (source, bytes, characters, original, type, rest, gaps)
       WHERE index_id = $1 AND name = source`,
      indexId,
      facts.map(({ source }) => source),
      facts.map(({ bytes }) => bytes ?? null),
      facts.map(({ characters }) => characters),
      facts.map(({ original }) => original?.id ?? null),
      facts.map(({ original }) => original?.type ?? null),
      facts.map(({ dropped }) => droppedColumn(dropped)),
      facts.map(({ gaps }) => gapsColumn(gaps)),
    )
}

/** Splits a list into parts for one statement each. */
export function* parts<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let from = 0; from < items.length; from += IDS_A_STATEMENT)
    yield items.slice(from, from + IDS_A_STATEMENT)
}
