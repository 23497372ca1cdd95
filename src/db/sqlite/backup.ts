import { hash } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { copyFile, link } from 'node:fs/promises'
import path from 'node:path'
import type { BackupReport } from '../../contract/data-directory.ts'
import { DATA_FILES, FILES_ON_BUCKET } from '../../contract/data-files.ts'
import { reasonOf, SluiceError } from '../../kit/errors.ts'
import { randomId } from '../../kit/hash.ts'
import { Connection } from './connection.ts'
import { isFull } from '../../kit/storage-failure.ts'
import { refuseLostLog } from './log-check.ts'

/**
 * A backup is one SQLite file: a copy of the database as it was at one moment, and in tables of its own the other files
 * that belong to it. Those are the uploads of jobs that wait, run or may be tried again, and the secret of the credentials.
 */
export const BACKUP_SCHEMA = `
  CREATE TABLE backup_info (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE backup_files (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    bytes INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE backup_pieces (
    file INTEGER NOT NULL,
    place INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    content BLOB NOT NULL,
    PRIMARY KEY (file, place)
  ) STRICT;`

/** The format that `restore` knows. */
export const BACKUP_FORMAT = '1'

/** How many bytes of a file are one row. */
const PIECE = 4 * 2 ** 20
/** How often the snapshot is tried, because an upload may be deleted at the same time. */
const ATTEMPTS = 20

/**
 * Copies the database of a data directory, as it is at one moment, and what belongs to it into one new file. A server
 * that uses the directory goes on: the copy only reads.
 *
 * @throws SluiceError `backup_target_exists`, `backup_failed`, `database_log_lost`
 */
export async function backupDirectory(directory: string, target: string): Promise<BackupReport> {
  if (existsSync(target)) throw new SluiceError('backup_target_exists', { file: target })
  const inside = path.relative(directory, target)
  if (!inside.startsWith('..') && !path.isAbsolute(inside))
    throw new SluiceError('backup_failed', {
      file: target,
      reason: 'it would be inside the data directory',
    })
  await refuseLostLog(directory)
  const partial = `${target}.partial-${randomId().slice(0, 8)}`
  const held = path.join(directory, DATA_FILES.scratch, `backup-${randomId()}`)
  try {
    const uploads = await copyDatabase(directory, partial, held)
    const report = addFiles(partial, [...uploads, ...filesBeside(directory)])
    renameSync(partial, target)
    return { file: target, bytes: statSync(target).size, ...report }
  } catch (error) {
    rmSync(partial, { force: true })
    if (error instanceof SluiceError) throw error
    if (isFull(error)) throw new SluiceError('storage_full', {}, { cause: error })
    throw new SluiceError('backup_failed', { file: target, reason: reasonOf(error) }, { cause: error })
  } finally {
    for (const suffix of ['-wal', '-shm', '-journal']) rmSync(partial + suffix, { force: true })
    rmSync(held, { recursive: true, force: true })
  }
}

/** `path` is its name in the backup, with `/` between folders. */
export type BackupFile = { path: string; from: string }

/** Copies one snapshot, and links the uploads that it names. */
async function copyDatabase(directory: string, partial: string, held: string): Promise<BackupFile[]> {
  const reader = new Connection(path.join(directory, DATA_FILES.database), { readOnly: true })
  try {
    for (let attempt = 1; ; attempt++) {
      reader.exec('BEGIN')
      const folders = reader
        .all<{ folder: string }>('SELECT folder FROM jobs WHERE folder IS NOT NULL')
        .map(({ folder }) => folder)
      try {
        const uploads = path.join(directory, DATA_FILES.uploads)
        // What is missing in every attempt was lost before; its job will fail for that reason.
        const there =
          attempt < ATTEMPTS ? folders : folders.filter((one) => existsSync(path.join(uploads, one)))
        const files = await holdUploads(uploads, there, held)
        await reader.copyTo(partial)
        chmodSync(partial, 0o600)
        return files
      } catch (error) {
        // A job ended between the snapshot and the hold on its uploads.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === ATTEMPTS) throw error
        rmSync(held, { recursive: true, force: true })
      } finally {
        reader.exec('ROLLBACK')
      }
    }
  } finally {
    reader.close()
  }
}

/** Links the files of jobs under a second name, so that a job that ends does not delete them before they are copied. */
async function holdUploads(uploads: string, folders: readonly string[], held: string): Promise<BackupFile[]> {
  const files: BackupFile[] = []
  for (const folder of folders) {
    mkdirSync(path.join(held, folder), { recursive: true, mode: 0o700 })
    for (const name of readdirSync(path.join(uploads, folder))) {
      const [from, to] = [path.join(uploads, folder, name), path.join(held, folder, name)]
      await link(from, to).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') throw error
        // Some file systems have no hard links.
        return copyFile(from, to)
      })
      files.push({ path: `${DATA_FILES.uploads}/${folder}/${name}`, from: to })
    }
  }
  return files
}

/** The files beside the database that belong to it. What else somebody has put there is not in the backup. */
const BESIDE: readonly string[] = [DATA_FILES.secret, DATA_FILES.nextSecret]

export const filesBeside = (directory: string): BackupFile[] =>
  BESIDE.map((name) => ({ path: name, from: path.join(directory, name) })).filter(({ from }) =>
    existsSync(from),
  )

/** Whether a backup has files of this name: `/` stands between folders. Only those are restored. */
export function isFileOfBackup(name: string): boolean {
  if (BESIDE.includes(name)) return true
  const [folder, job, file, ...more] = name.split('/')
  return folder === DATA_FILES.uploads && [job, file].every(isPlainName) && more.length === 0
}

/** A name that leads to no other folder on any system. */
const isPlainName = (name: string | undefined): boolean =>
  name !== undefined && /^[\w.-]{1,255}$/.test(name) && !/^\.+$/.test(name)

/** Adds files to the copy of a database, and the report of it: then the copy is a backup. */
export function addFiles(
  partial: string,
  files: readonly BackupFile[],
): Omit<BackupReport, 'file' | 'bytes'> {
  const copy = new Connection(partial)
  try {
    // A copy that is one file and nothing else.
    copy.exec('PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL')
    copy.exec(BACKUP_SCHEMA)
    let uploadBytes = 0
    for (const [at, file] of files.entries()) {
      const bytes = addFile(copy, at + 1, file)
      if (file.path.startsWith(`${DATA_FILES.uploads}/`)) uploadBytes += bytes
    }
    const count = (sql: string) => copy.get<{ count: number }>(`SELECT ${sql} AS count`)!.count
    const report = {
      flows: count('(SELECT count(*) FROM flows WHERE deleted_at IS NULL)'),
      chunks: count(`(SELECT coalesce(sum(chunks), 0) FROM indexes WHERE state = 'live')`),
      credentials: count('(SELECT count(*) FROM credentials)'),
      keys: count('(SELECT count(*) FROM api_keys)'),
      jobs: count('(SELECT count(*) FROM jobs WHERE folder IS NOT NULL)'),
      uploadBytes,
      secret: secretOf(copy),
      ...(isOnBucket(copy) ? { files: 'BLOB_URL' as const } : {}),
    }
    const facts = { format: BACKUP_FORMAT, report: JSON.stringify(report) }
    for (const [name, value] of Object.entries(facts))
      copy.run('INSERT INTO backup_info (name, value) VALUES (?, ?)', name, value)
    return report
  } finally {
    copy.close()
  }
}

const secretOf = (copy: Connection): BackupReport['secret'] =>
  copy.get(
    `SELECT 1 FROM settings WHERE name = 'secretKey'
            UNION ALL SELECT 1 FROM backup_files WHERE path = ?`,
    DATA_FILES.secret,
  )
    ? 'included'
    : 'SECRET_KEY'

const isOnBucket = (copy: Connection): boolean =>
  copy.get('SELECT 1 FROM settings WHERE name = ?', FILES_ON_BUCKET) !== undefined

/** Adds a file piece by piece; answers its size in bytes. */
function addFile(copy: Connection, id: number, { path: name, from }: BackupFile): number {
  const handle = openSync(from, 'r')
  const buffer = Buffer.alloc(PIECE)
  let bytes = 0
  try {
    for (let place = 0; ; place++) {
      const read = readSync(handle, buffer, 0, PIECE, null)
      if (read === 0) break
      const content = buffer.subarray(0, read)
      copy.run('INSERT INTO backup_pieces VALUES (?, ?, ?, ?)', id, place, hash('sha256', content), content)
      bytes += read
    }
  } finally {
    closeSync(handle)
  }
  copy.run('INSERT INTO backup_files VALUES (?, ?, ?)', id, name, bytes)
  return bytes
}
