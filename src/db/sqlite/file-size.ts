import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { SluiceError } from '../../kit/errors.ts'

/** What to do about a damaged database. */
export const RESTORE =
  'sluice verify says more; sluice restore brings a backup back into an empty data directory'

/**
 * Refuses a database file that is shorter than its header says. SQLite reads the missing part of a page as zeros, and
 * misses a whole page only when it reads it. See https://sqlite.org/fileformat.html.
 *
 * @throws SluiceError `database_unusable`
 */
export function refuseCutShort(file: string): void {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return
  // Pages in the log are not in the file yet. The log is read first, because it may be written into the file meanwhile.
  const log = `${file}-wal`
  if (existsSync(log) && statSync(log).size > 0) return
  const wanted = sizeInHeader(file)
  const { size } = statSync(file)
  if (wanted === undefined || size >= wanted) return
  throw new SluiceError('database_unusable', {
    path: file,
    reason: `its end is missing: ${size} of ${wanted} bytes are there`,
    hint: RESTORE,
  })
}

/** How many bytes the file has by its header; undefined where its header has no valid count of pages, or is not one of SQLite. */
function sizeInHeader(file: string): number | undefined {
  const header = Buffer.alloc(100)
  const descriptor = openSync(file, 'r')
  try {
    if (readSync(descriptor, header, 0, header.length, 0) < header.length) return undefined
  } finally {
    closeSync(descriptor)
  }
  const changes = header.readUInt32BE(24)
  const countIsValid = changes === header.readUInt32BE(92)
  if (!header.toString('latin1').startsWith('SQLite format 3\0') || !countIsValid) return undefined
  const pageSize = header.readUInt16BE(16)
  return (pageSize === 1 ? 65_536 : pageSize) * header.readUInt32BE(28)
}
