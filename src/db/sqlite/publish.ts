import type { TextRange } from '../../contract/document.ts'
import type { Receipt } from '../../contract/job.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { Connection } from './connection.ts'
import type { Write } from './write.ts'

export type PublishRequest = {
  run: number
  indexId: number
  /** How many chunks this run staged. */
  stagedCount: number
  /** Ids of the chunks that this run replaces or removes. */
  removedChunkIds: number[]
  /** Chunks that stay, with their new ranges. */
  movedChunks?: { id: number; range: TextRange }[]
  /** Files as this run found them, so that an unchanged one need not be read again. */
  files: { name: string; fingerprint: string; chunks: number }[]
  /** Sources with a new time of change. */
  updatedSources: string[]
  /** Files that must be read again when they come again: some of their chunks are gone. `all`: every file of the index. */
  invalidatedFiles: string[] | 'all'
  receipt?: Receipt | undefined
  now: number
}

/** Publishes a run in one transaction: its chunks become visible, and those that it removes invisible. */
export const publishRun: Write<PublishRequest, void> = {
  name: 'publishRun',
  run(
    connection,
    {
      run,
      indexId,
      stagedCount,
      removedChunkIds,
      movedChunks = [],
      files,
      updatedSources,
      invalidatedFiles,
      receipt,
      now,
    },
  ) {
    const kill = connection.prepare('UPDATE chunks SET died = ? WHERE id = ? AND died IS NULL')
    let died = 0
    for (const id of removedChunkIds) died += Number(kill.run(run, id).changes)
    connection.run('UPDATE indexes SET chunks = chunks + ? WHERE id = ?', stagedCount - died, indexId)

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
    for (const name of updatedSources) {
      connection.run('UPDATE sources SET updated_at = ? WHERE index_id = ? AND name = ?', now, indexId, name)
    }
    markPublished(connection, { run, receipt, now })
  },
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
