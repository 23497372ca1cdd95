import { statSync } from 'node:fs'
import type { Connection } from './connection.ts'

/** How many pages one step returns to the file system: 8 MB. */
const STEP = 1000
/** What may stay free for the next run: a tenth of the file, and so many pages at least. */
const KEPT = { share: 0.1, pages: 256 }
/** How long the log may stay, in bytes. */
const LOG = 4 * 2 ** 20

/**
 * Returns unused pages to the file system, one step a call, then the space of a long log. Never waits: if a reader
 * still needs the log, the rest is done the next time.
 *
 * @returns whether there is more
 */
export function vacuumStep(connection: Connection): boolean {
  const number = (pragma: string) => Number(Object.values(connection.get(`PRAGMA ${pragma}`)!)[0])
  const free = number('freelist_count')
  // A file without incremental vacuum keeps its free pages and uses them again.
  const able = number('auto_vacuum') === 2
  if (able && free > Math.max(KEPT.pages, number('page_count') * KEPT.share)) {
    connection.exec(`PRAGMA incremental_vacuum(${STEP})`)
    return true
  }
  const { file } = connection.get<{ file: string }>(
    `SELECT file FROM pragma_database_list WHERE name = 'main'`,
  )!
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false })
  if (log && log.size > LOG) {
    const waits = number('busy_timeout')
    connection.exec(
      `PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA busy_timeout = ${waits}`,
    )
  }
  return false
}
