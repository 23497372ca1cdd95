import { chmodSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { reasonOf, SluiceError } from '../kit/errors.ts'

/**
 * Makes a data directory that only its owner can enter.
 *
 * @throws SluiceError `data_dir_unusable`
 */
export function makeDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    chmodSync(directory, 0o700)
  } catch (error) {
    throw new SluiceError('data_dir_unusable', { path: directory, reason: reasonOf(error) })
  }
}

/**
 * Takes a data directory for this process alone. The lock is the operating system's, on a file that holds nothing: it
 * goes with the process, however that ends, so none is ever left behind.
 *
 * @throws SluiceError `data_dir_in_use`, `data_dir_unusable`
 */
export function lockDirectory(directory: string): { release(): void } {
  makeDirectory(directory)
  const lock = new DatabaseSync(path.join(directory, 'sluice.lock'), { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    throw new SluiceError('data_dir_in_use', { path: directory }, { cause: error })
  }
  return { release: () => lock.close() }
}
