import { chmodSync, closeSync, existsSync, mkdirSync, openSync, realpathSync, statSync } from 'node:fs'
import { deleteAddress, noteAddress } from './server-address.ts'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DATA_FILES } from '../contract/data-files.ts'
import { openWithReserve } from './disk-guard.ts'
import { isBusy } from '../kit/storage-failure.ts'
import { reasonOf, SluiceError } from '../kit/errors.ts'
import { takeProcessName } from '../kit/process-name.ts'

/**
 * Makes a data directory that only its owner can enter. A directory that exists is left as it is.
 *
 * @throws SluiceError `data_dir_unusable`
 */
export function makeDirectory(directory: string): void {
  try {
    // One folder at a time: Node's own recursive form never ends below /proc.
    for (const folder of missingFolders(path.resolve(directory))) makeFolder(folder)
    if (!statSync(directory).isDirectory()) throw new Error('it is not a directory')
  } catch (error) {
    throw new SluiceError('data_dir_unusable', { path: directory, reason: reasonOf(error) })
  }
}

/** The folders to make for a path, the outermost first. */
function missingFolders(directory: string): string[] {
  const missing: string[] = []
  for (let folder = directory; !existsSync(folder); folder = path.dirname(folder)) missing.unshift(folder)
  return missing
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
    // The umask of the process may have removed permissions of the owner too.
    chmodSync(folder, 0o700)
  } catch (error) {
    // Another process that starts at this moment may have been first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/**
 * The permissions of a data directory, such as `755`, where they let other users of the machine in; undefined where
 * they do not. Windows has none of this kind.
 */
export function openPermissions(directory: string): string | undefined {
  if (process.platform === 'win32') return undefined
  const mode = statSync(directory).mode & 0o777
  return mode & 0o077 ? mode.toString(8) : undefined
}

/** Makes a file that only its owner can read, unless it exists. SQLite gives its log the permissions of the database. */
export function makePrivateFile(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
}

/** A data directory that belongs to this process until `release()` or the end of the process. */
export type DirectoryLock = {
  /** Notes where its server listens, for `addressOfServer`, until `release()`. */
  noteAddress(url: string): void
  release(): void
}

/**
 * Takes a data directory for this process alone. Two locks of the operating system do it, and both end with the
 * process, however it ends:
 *
 * - a lock on the file `sluice.lock`, which also holds between containers that share a volume;
 * - on Linux a socket name without a file, made from the identity of the directory, which holds when the lock's file
 *   is deleted while a server runs.
 *
 * @throws SluiceError `data_dir_in_use`, `data_dir_unusable`
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  makeDirectory(directory)
  const file = openWithReserve(directory, () => lockFile(directory))
  try {
    const { dev, ino } = statSync(realpathSync(directory), { bigint: true })
    const name = await takeProcessName(`sluice-data-${dev}-${ino}`)
    if (!name) throw new SluiceError('data_dir_in_use', { path: directory })
    // Of a server that was killed.
    deleteAddress(directory)
    return {
      noteAddress: (url) => noteAddress(directory, url),
      release() {
        deleteAddress(directory)
        file.release()
        name.release()
      },
    }
  } catch (error) {
    file.release()
    throw error
  }
}

function lockFile(directory: string): Pick<DirectoryLock, 'release'> {
  const file = path.join(directory, DATA_FILES.lock)
  try {
    makePrivateFile(file)
  } catch (error) {
    throw new SluiceError('data_dir_unusable', { path: directory, reason: reasonOf(error) })
  }
  const lock = new DatabaseSync(file, { timeout: 0 })
  try {
    // Without a journal the lock takes no room on the disk.
    lock.exec('PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (!isBusy(error))
      throw new SluiceError('data_dir_unusable', { path: directory, reason: reasonOf(error) })
    throw new SluiceError('data_dir_in_use', { path: directory }, { cause: error })
  }
  return { release: () => lock.close() }
}

/** Whether a server, or a restore, has locked a directory that exists. @throws SluiceError `data_dir_unusable` */
export async function hasServer(directory: string): Promise<boolean> {
  try {
    const lock = await lockDirectory(directory)
    lock.release()
    return false
  } catch (error) {
    if (error instanceof SluiceError && error.code === 'data_dir_in_use') return true
    throw error
  }
}
