import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { DATA_FILES } from '../../contract/data-files.ts'
import { reasonOf, SluiceError } from '../../kit/errors.ts'
import { isBusy, isUnreadable } from '../../kit/storage-failure.ts'
import { Connection } from '../sqlite/connection.ts'
import { refuseLostLogOfOwner } from '../sqlite/log-check.ts'
import { FIRST_RESCUED, FIRST_VERSION, refuseNewer, schemaVersion } from '../sqlite/migrations.ts'

/** The database of an old data directory or backup, opened to read. */
export type OldPlace = {
  connection: Connection
  schema: number
  isInUse: boolean
  /** What is known to be missing before anything is read. */
  damage: string[]
}

/**
 * Opens a database of schemas 8 to 23 without any write to it, also one that is damaged.
 *
 * @param from a data directory, or a backup
 * @throws SluiceError `database_unusable`, `database_newer`, `rescue_needless`, `rescue_impossible`
 */
export function openOldPlace(from: string): OldPlace {
  const directory = statSync(from, { throwIfNoEntry: false })?.isDirectory() ? from : undefined
  const file = directory === undefined ? from : path.join(directory, DATA_FILES.database)
  if (!existsSync(from)) throw unusable(file, 'there is no such file or directory')
  if (!existsSync(file)) throw unusable(file, 'there is no database in this directory')
  const isInUse = directory !== undefined && isLocked(directory)
  const damage = directory === undefined || isInUse ? [] : lostLog(directory)
  let connection: Connection | undefined
  try {
    connection = new Connection(nameOf(file, isInUse), { readOnly: true, lenient: true })
    const schema = schemaVersion(connection)
    refuseSchema(connection, schema, file)
    return { connection, schema, isInUse, damage }
  } catch (error) {
    connection?.close()
    if (!isUnreadable(error)) throw error
    throw unusable(file, reasonOf(error), error)
  }
}

function refuseSchema(connection: Connection, found: number, file: string): void {
  refuseNewer(found, file)
  if (found >= FIRST_VERSION) throw new SluiceError('rescue_needless', { path: file, found })
  if (found === 0 || !connection.get(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'flows'`))
    throw unusable(file, 'it is no database of Sluice')
  if (found < FIRST_RESCUED)
    throw new SluiceError('rescue_impossible', {
      path: file,
      found,
      first: FIRST_RESCUED,
      last: FIRST_VERSION - 1,
    })
}

const unusable = (file: string, reason: string, cause?: unknown) =>
  new SluiceError('database_unusable', { path: file, reason }, { cause })

/** Without a log nothing but the file itself is opened, so that no file is made beside it, and a read-only disk will do. */
function nameOf(file: string, isInUse: boolean): string {
  const logSize = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0
  return isInUse || logSize > 0 ? file : `${pathToFileURL(path.resolve(file)).href}?immutable=1`
}

/** Whether a server holds the lock of a directory. Unlike taking the lock, this writes nothing. */
function isLocked(directory: string): boolean {
  const file = path.join(directory, DATA_FILES.lock)
  if (!existsSync(file)) return false
  const lock = new DatabaseSync(file, { readOnly: true, timeout: 0 })
  try {
    lock.exec('SELECT 1 FROM sqlite_schema')
    return false
  } catch (error) {
    return isBusy(error)
  } finally {
    lock.close()
  }
}

function lostLog(directory: string): string[] {
  try {
    refuseLostLogOfOwner(directory)
    return []
  } catch (error) {
    if (error instanceof SluiceError && error.code === 'database_log_lost') return [error.message]
    throw error
  }
}
