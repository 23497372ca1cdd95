import type { Publication } from '../../contract/ledger.ts'
import { markPublished } from '../ledger/mark-published.ts'
import { markRemoved } from '../ledger/mark-removed.ts'
import { noteOutdated } from '../ledger/outdated.ts'
import { noteLoads } from '../ledger/source-loads.ts'
import { noteChunkEdits } from '../repositories/chunk-edits.ts'
import { droppedColumn, gapsColumn } from '../rows/dropped.ts'
import type { Connection } from './connection.ts'
import { endRemovals } from './removed-sources.ts'
import { sessionOf } from './sql.ts'
import type { Write } from './write.ts'

export type PublishRequest = Publication & {
  run: number
  indexId: number
  /** How many chunks this run has staged, by the names of their sources. */
  stagedOf?: ReadonlyMap<string, number>
  now: number
}

/** Publishes a run in one transaction: its chunks become visible, and those that it removes invisible. */
export const publishRun: Write<PublishRequest, void> = {
  name: 'publishRun',
  async run(connection, request) {
    const sql = sessionOf(connection)
    const { run, indexId, movedChunks = [], files, updatedSources, invalidatedFiles, receipt, now } = request
    await markPublished(sql, { run, receipt, now })
    countChunks(connection, request)
    const move = connection.prepare('UPDATE chunks SET text_start = ?, text_end = ? WHERE id = ?')
    for (const { id, range } of movedChunks) move.run(range.start, range.end, id)

    if (invalidatedFiles === 'all') connection.run('DELETE FROM files WHERE index_id = ?', indexId)
    else
      for (const name of invalidatedFiles)
        connection.run('DELETE FROM files WHERE index_id = ? AND name = ?', indexId, name)
    for (const { name, fingerprint, chunks } of files) {
      connection.run(
        'INSERT OR REPLACE INTO files (index_id, name, fingerprint, chunks) VALUES (?, ?, ?, ?)',
        indexId,
        name,
        fingerprint,
        chunks,
      )
    }
    if (request.restorableUntil === undefined) noteSources(connection, request)
    else await markRemoved(sql, { indexId, run, until: request.restorableUntil, sources: updatedSources })
    await noteLoads(sql, indexId, request.loads)
    endRemovals(connection, indexId, request.restoredSources ?? [])
    await noteOutdated(sql, request)
    await noteChunkEdits(sql, request)
  },
}

/** How many ids one statement takes: a statement for each chunk takes twice as long. */
const IDS_A_STATEMENT = 10_000

/** How many of some chunks readers see, by source. */
const LOST_BY_SOURCE = `SELECT source_id AS source, count(*) AS count
  FROM (SELECT DISTINCT value FROM json_each(?)) CROSS JOIN chunks ON chunks.id = value
  WHERE died IS NULL GROUP BY source_id`

const MARK_DEAD = 'UPDATE chunks SET died = ? WHERE id IN (SELECT value FROM json_each(?)) AND died IS NULL'

/** Marks removed chunks, and brings the counts of the index and of its sources up to date. */
function countChunks(connection: Connection, request: PublishRequest): void {
  const { run, indexId, stagedCount, stagedOf = new Map<string, number>(), removedChunkIds } = request
  const lost = new Map<number, number>()
  let died = 0
  for (let from = 0; from < removedChunkIds.length; from += IDS_A_STATEMENT) {
    const ids = JSON.stringify(removedChunkIds.slice(from, from + IDS_A_STATEMENT))
    for (const { source, count } of connection.all<{ source: number; count: number }>(LOST_BY_SOURCE, ids))
      lost.set(source, (lost.get(source) ?? 0) + count)
    died += connection.run(MARK_DEAD, run, ids)
  }
  connection.run('UPDATE indexes SET chunks = chunks + ? WHERE id = ?', stagedCount - died, indexId)
  const gain = connection.prepare('UPDATE sources SET chunks = chunks + ? WHERE index_id = ? AND name = ?')
  for (const [source, count] of stagedOf) gain.run(count, indexId, source)
  const lose = connection.prepare('UPDATE sources SET chunks = chunks - ? WHERE id = ?')
  for (const [source, count] of lost) lose.run(count, source)
}

/** Stores when sources were read, by which job, and what the run has learned about them. */
function noteSources(
  connection: Connection,
  { indexId, updatedSources, sourceFacts = [], receipt, now }: PublishRequest,
): void {
  endRemovals(connection, indexId, updatedSources)
  const note = connection.prepare(
    'UPDATE sources SET updated_at = ?, job = coalesce(?, job) WHERE index_id = ? AND name = ?',
  )
  for (const name of updatedSources) note.run(now, receipt?.job ?? null, indexId, name)
  const learn = connection.prepare(
    `UPDATE sources SET bytes = ?, characters = ?, original = ?, original_type = ?, dropped = ?, gaps = ?
     WHERE index_id = ? AND name = ?`,
  )
  for (const { source, bytes = null, characters, original, dropped, gaps } of sourceFacts)
    learn.run(
      ...[bytes, characters, original?.id ?? null, original?.type ?? null, droppedColumn(dropped)],
      ...[gapsColumn(gaps), indexId, source],
    )
}
