import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { DATA_FILES } from '../../contract/data-files.ts'
import { reasonOf, SluiceError } from '../../kit/errors.ts'
import { addFiles, type BackupFile, filesBeside } from './backup.ts'
import type { Connection } from './connection.ts'
import { schemaVersion } from './migrations.ts'

/** What an open may do before it changes the schema. */
export type UpgradeOptions = {
  /** False: no backup is made. */
  backup?: boolean
  /** Called with the file of a backup that was made. */
  note?: (backup: { file: string; schema: number }) => void
}

/**
 * Makes a backup of a database before its schema is changed, in `backups` of its directory: the way back to the version before.
 * `sluice restore` restores it, with this version or the one before.
 *
 * @param connection of the database, while nothing else uses the directory
 * @returns the file
 * @throws SluiceError `upgrade_not_backed_up`
 */
export function backupBeforeUpgrade(connection: Connection, directory: string): string {
  const found = schemaVersion(connection)
  const folder = path.join(directory, DATA_FILES.backups)
  const time = new Date().toISOString().replaceAll(/[:.]/g, '-')
  const target = path.join(folder, `schema-${found}-${time}.sluice`)
  const partial = `${target}.partial`
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    try {
      connection.run('VACUUM INTO ?', partial)
      chmodSync(partial, 0o600)
      addFiles(partial, [...uploadsOf(connection, directory), ...filesBeside(directory)])
      renameSync(partial, target)
    } finally {
      for (const suffix of ['', '-journal']) rmSync(partial + suffix, { force: true })
    }
    return target
  } catch (error) {
    const reason = reasonOf(error)
    throw new SluiceError('upgrade_not_backed_up', { path: target, found, reason }, { cause: error })
  }
}

/** The files of jobs that are there; what is missing was lost before. */
function uploadsOf(connection: Connection, directory: string): BackupFile[] {
  return connection
    .all<{ folder: string }>('SELECT folder FROM jobs WHERE folder IS NOT NULL')
    .map(({ folder }) => ({ folder, at: path.join(directory, DATA_FILES.uploads, folder) }))
    .filter(({ at }) => existsSync(at))
    .flatMap(({ folder, at }) =>
      readdirSync(at).map((name) => ({
        path: `${DATA_FILES.uploads}/${folder}/${name}`,
        from: path.join(at, name),
      })),
    )
}
