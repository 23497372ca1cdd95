import type { Receipt } from '../../contract/job.ts'
import type { Publication } from '../../contract/ledger.ts'
import { SluiceError } from '../../kit/errors.ts'
import { droppedColumn } from '../rows/dropped.ts'
import type { Connection } from './connection.ts'
import { noteOutdated } from './outdated.ts'
import { forgetRemovals, markRemoved } from './removed-sources.ts'
import { noteLoads } from './source-loads.ts'
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
  run(connection, request) {
    const { run, indexId, movedChunks = [], files, updatedSources, invalidatedFiles, receipt, now } = request
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
    else markRemoved(connection, { indexId, run, until: request.restorableUntil, sources: updatedSources })
    noteLoads(connection, indexId, request.loads)
    forgetRemovals(connection, indexId, request.restoredSources ?? [])
    markPublished(connection, { run, receipt, now })
    noteOutdated(connection, request)
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
  forgetRemovals(connection, indexId, updatedSources)
  const note = connection.prepare(
    'UPDATE sources SET updated_at = ?, job = coalesce(?, job) WHERE index_id = ? AND name = ?',
  )
  for (const name of updatedSources) note.run(now, receipt?.job ?? null, indexId, name)
  const learn = connection.prepare(
    `UPDATE sources SET bytes = ?, characters = ?, original = ?, original_type = ?, dropped = ?
     WHERE index_id = ? AND name = ?`,
  )
  for (const { source, bytes = null, characters, original, dropped } of sourceFacts)
    learn.run(
      ...[bytes, characters, original?.id ?? null, original?.type ?? null, droppedColumn(dropped)],
      ...[indexId, source],
    )
}

/**
 * Marks a run as published: readers see what it has staged from the end of the transaction on.
 *
 * @throws SluiceError `run_not_open` for a run that was abandoned or published before; the transaction then rolls back
 */
export function markPublished(
  connection: Connection,
  { run, receipt, now }: { run: number; receipt?: Receipt | undefined; now: number },
): void {
  const changed = connection.run(
    `UPDATE runs SET state = 'published', published_at = ?, job = ?, receipt = ? WHERE seq = ? AND state = 'open'`,
    now,
    receipt?.job ?? null,
    receipt ? JSON.stringify(receipt) : null,
    run,
  )
  if (changed !== 1) throw new SluiceError('run_not_open')
}
