import { hash } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import type { BackupReport } from '../../contract/data-directory.ts'
import { DATA_FILES } from '../../contract/data-files.ts'
import { reasonOf, SluiceError } from '../../kit/errors.ts'
import { BACKUP_FORMAT, BACKUP_SCHEMA, isFileOfBackup } from './backup.ts'
import { Connection } from './connection.ts'
import { contentSteps } from './contents.ts'
import { isFull } from '../../kit/storage-failure.ts'
import { lockDirectory } from '../directory.ts'
import { markDirectory } from '../marker.ts'
import { migrate, refuseUnknown, schemaVersion } from './migrations.ts'
import { schemaDifferences } from './schema-check.ts'

/** A directory with only these counts as empty: locks, the address of a server, the folder of an unfinished restore, copies of vectors. */
const NO_CONTENT: readonly string[] = [
  DATA_FILES.lock,
  DATA_FILES.address,
  DATA_FILES.restoring,
  DATA_FILES.vectorImages,
  `${DATA_FILES.lock}-journal`,
]

/**
 * Restores a backup into a data directory that is empty or does not exist. The copy is checked first; the last step is
 * the rename of the database.
 *
 * @throws SluiceError `restore_target_used`, `backup_invalid`, `data_dir_in_use`, `data_dir_unusable`,
 *   `database_newer`, `database_older`, `storage_full`
 */
export async function restoreDirectory(file: string, directory: string): Promise<BackupReport> {
  if (!existsSync(file)) throw new SluiceError('backup_invalid', { file, reason: 'there is no such file' })
  const lock = await lockDirectory(directory)
  const restoring = path.join(directory, DATA_FILES.restoring)
  try {
    refuseUsed(directory)
    rmSync(restoring, { recursive: true, force: true })
    mkdirSync(restoring, { mode: 0o700 })
    const report = unpack(file, restoring)
    rmSync(path.join(directory, DATA_FILES.vectorImages), { recursive: true, force: true })
    settle(restoring, directory)
    markDirectory(directory)
    return { ...report, file }
  } catch (error) {
    rmSync(restoring, { recursive: true, force: true })
    throw asRestoreError(file, error)
  } finally {
    lock.release()
  }
}

function asRestoreError(file: string, error: unknown): unknown {
  if (error instanceof SluiceError) return error
  if (isFull(error)) return new SluiceError('storage_full', {}, { cause: error })
  return new SluiceError('backup_invalid', { file, reason: reasonOf(error) }, { cause: error })
}

function refuseUsed(directory: string): void {
  // A restore that broke off may have moved uploads before the database.
  const unfinished =
    existsSync(path.join(directory, DATA_FILES.restoring)) &&
    !existsSync(path.join(directory, DATA_FILES.database))
  const found = readdirSync(directory).find((name) => !NO_CONTENT.includes(name))
  if (found !== undefined && !unfinished)
    throw new SluiceError('restore_target_used', { path: directory, found })
}

/** Checks a backup, and writes the database and the other files in it into a folder. */
function unpack(file: string, restoring: string): Omit<BackupReport, 'file'> {
  const database = path.join(restoring, DATA_FILES.database)
  copyFileSync(file, database)
  chmodSync(database, 0o600)
  const copy = new Connection(database)
  try {
    const report = checked(copy, file)
    const leftOut: string[] = []
    for (const { id, path: name, bytes } of copy.all<{ id: number; path: string; bytes: number }>(
      'SELECT id, path, bytes FROM backup_files ORDER BY id',
    ))
      if (leadsOut(name, restoring))
        throw new SluiceError('backup_invalid', { file, reason: 'a path in it leads out of the directory' })
      else if (isFileOfBackup(name)) unpackFile(copy, { id, name, bytes }, { restoring, file })
      else leftOut.push(name)
    const bytes =
      Number(copy.get('PRAGMA page_count')!.page_count) * Number(copy.get('PRAGMA page_size')!.page_size)
    copy.exec('DROP TABLE backup_pieces; DROP TABLE backup_files; DROP TABLE backup_info')
    copy.exec('PRAGMA incremental_vacuum')
    migrate(copy, file)
    for (const { damaged } of contentSteps(copy))
      if (damaged > 0)
        throw new SluiceError('backup_invalid', { file, reason: 'texts or vectors in it are damaged' })
    return { ...report, bytes, ...(leftOut.length > 0 ? { leftOut } : {}) }
  } finally {
    copy.close()
  }
}

/** The report that a backup has of itself, after it was checked. @throws SluiceError `backup_invalid` */
function checked(copy: Connection, file: string): Omit<BackupReport, 'file' | 'bytes'> {
  const invalid = (reason: string) => new SluiceError('backup_invalid', { file, reason })
  const info = (name: string) =>
    copy.get<{ value: string }>('SELECT value FROM backup_info WHERE name = ?', name)?.value
  if (!copy.get(`SELECT 1 FROM sqlite_schema WHERE name = 'backup_info'`))
    throw invalid('it was not made by sluice backup, or is unfinished')
  // Before anything of it is read: a view or a trigger would run.
  refuseUnknown(schemaVersion(copy), file)
  const [difference] = schemaDifferences(copy, BACKUP_SCHEMA)
  if (difference !== undefined)
    throw invalid(`its schema is not that of a backup: ${difference}. Something else has changed it`)
  if (info('format') !== BACKUP_FORMAT) throw invalid('it was made by a newer version')
  const [fault] = copy.all('PRAGMA integrity_check(1)')
  if (fault!.integrity_check !== 'ok') throw invalid('it is damaged')
  if (copy.get('PRAGMA foreign_key_check')) throw invalid('rows of it are missing')
  return JSON.parse(info('report')!) as BackupReport
}

/** Whether a name is no plain way down from a folder. */
const leadsOut = (name: string, folder: string): boolean =>
  path.relative(folder, path.join(folder, name)) !== name || name.startsWith('..')

function unpackFile(
  copy: Connection,
  { id, name, bytes }: { id: number; name: string; bytes: number },
  { restoring, file }: { restoring: string; file: string },
): void {
  const to = path.join(restoring, name)
  mkdirSync(path.dirname(to), { recursive: true, mode: 0o700 })
  writeFileSync(to, '', { mode: 0o600, flag: 'wx' })
  let found = 0
  for (let place = 0; ; place++) {
    const piece = copy.get<{ sha256: string; content: Uint8Array<ArrayBuffer> }>(
      'SELECT sha256, content FROM backup_pieces WHERE file = ? AND place = ?',
      id,
      place,
    )
    if (!piece) break
    if (hash('sha256', piece.content) !== piece.sha256)
      throw new SluiceError('backup_invalid', { file, reason: 'a file in it is damaged' })
    appendFileSync(to, piece.content)
    found += piece.content.length
  }
  if (found !== bytes)
    throw new SluiceError('backup_invalid', { file, reason: 'a part of a file in it is missing' })
}

/** Moves all files to the data directory, the database last: where it is there, the others are too. */
function settle(restoring: string, directory: string): void {
  for (const name of readdirSync(restoring)) {
    if (name === DATA_FILES.database) continue
    rmSync(path.join(directory, name), { recursive: true, force: true })
    renameSync(path.join(restoring, name), path.join(directory, name))
  }
  renameSync(path.join(restoring, DATA_FILES.database), path.join(directory, DATA_FILES.database))
  rmSync(restoring, { recursive: true, force: true })
}
