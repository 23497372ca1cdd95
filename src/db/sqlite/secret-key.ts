import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { DATA_FILES } from '../../contract/data-files.ts'
import type { SettingStore } from '../../contract/setting-store.ts'
import { reasonOf, SluiceError } from '../../kit/errors.ts'
import { randomToken } from '../../kit/hash.ts'
import { isFull } from '../../kit/storage-failure.ts'
import { keepSecretCheck, opensSealed, SECRET_CHECK } from '../secret-check.ts'
import type { Database } from './database.ts'
import { settingStore } from '../repositories/settings.ts'

/** The setting in which an earlier version stored the secret. */
export const STORED_SECRET = 'secretKey'

/**
 * The secret that seals credentials and requests of jobs: the setting SECRET_KEY, else the file `secret.key` of the
 * data directory, which is made on the first start. A secret in the database, where
 * an earlier version stored it, moves to the file.
 *
 * @param setting the value of SECRET_KEY
 * @throws SluiceError `secret_wrong`, `secret_missing`, `data_dir_unusable`
 */
export async function openSecretKey(
  database: Database,
  directory: string,
  setting: string | undefined,
): Promise<string> {
  const settings = settingStore(database.sql)
  await moveToFile(settings, directory)
  const sealed = await sealedText(database, settings)
  endRotation(directory, sealed)
  const found = await readSecretKey(database, directory, setting)
  if (found === undefined && sealed !== undefined)
    throw new SluiceError('secret_missing', { path: path.join(directory, DATA_FILES.secret), hint: RECOVER })
  const secret = found ?? randomToken()
  if (found === undefined) writeSecret(directory, secret)
  else if (sealed !== undefined && !opensSealed(secret, sealed)) throw wrong(directory, setting, sealed)
  // On a full disk a later start writes it.
  if ((await settings.get(SECRET_CHECK)) === undefined && !database.shortage())
    await keepSecretCheck(settings, secret)
  return secret
}

/** The secret of a data directory, without making or moving one; undefined where there is none. */
export async function readSecretKey(
  database: Database,
  directory: string,
  setting: string | undefined,
): Promise<string | undefined> {
  return setting ?? readFile(directory) ?? (await settingStore(database.sql).get(STORED_SECRET))
}

/**
 * Accepts the present secret, or a new one, in place of the lost secret that sealed the credentials.
 *
 * @returns names of the credentials that it does not open: they have to be entered again
 */
export async function adoptSecretKey(
  database: Database,
  directory: string,
  setting: string | undefined,
): Promise<string[]> {
  const settings = settingStore(database.sql)
  await moveToFile(settings, directory)
  const found = await readSecretKey(database, directory, setting)
  const secret = found ?? randomToken()
  if (found === undefined) writeSecret(directory, secret)
  await settings.remove(SECRET_CHECK)
  await keepSecretCheck(settings, secret)
  return database.reader
    .all<{ name: string; sealed: string }>('SELECT name, sealed FROM credentials ORDER BY name')
    .filter(({ sealed }) => !opensSealed(secret, sealed))
    .map(({ name }) => name)
}

const nextFile = (directory: string) => path.join(directory, DATA_FILES.nextSecret)

/** Stores the secret that a rotation is going to use. */
export const keepNextSecret = (directory: string, secret: string): void =>
  writeSecret(directory, secret, DATA_FILES.nextSecret)

/** Makes the next secret the secret of a data directory. */
export function takeNextSecret(directory: string): void {
  renameSync(nextFile(directory), path.join(directory, DATA_FILES.secret))
  syncDirectory(directory)
}

/** After an interrupted rotation: takes the next secret if the database is sealed with it, and deletes it otherwise. */
function endRotation(directory: string, sealed: string | undefined): void {
  const next = readFile(directory, DATA_FILES.nextSecret)
  if (next === undefined) return
  if (sealed !== undefined && opensSealed(next, sealed)) takeNextSecret(directory)
  else rmSync(nextFile(directory))
}

const RECOVER =
  'bring secret.key back from a backup, or set SECRET_KEY to the value that was set before; if it is lost, `sluice credential reset` lets the server start with a new one, and the credentials have to be entered again'

function wrong(directory: string, setting: string | undefined, sealed: string): SluiceError {
  const source = setting === undefined ? path.join(directory, DATA_FILES.secret) : 'The setting SECRET_KEY'
  const file = setting === undefined ? undefined : readFile(directory)
  const hint =
    file !== undefined && opensSealed(file, sealed)
      ? 'remove SECRET_KEY: the file secret.key has the right secret'
      : RECOVER
  return new SluiceError('secret_wrong', { source, hint })
}

/** A sealed text that only the right secret opens; undefined in a data directory without one. */
async function sealedText({ reader }: Database, settings: SettingStore): Promise<string | undefined> {
  const check = await settings.get(SECRET_CHECK)
  // On a full disk the check is not written: then the newest credential is used.
  return (
    check ??
    reader.get<{ sealed: string }>('SELECT sealed FROM credentials ORDER BY updated_at DESC LIMIT 1')?.sealed
  )
}

async function moveToFile(settings: SettingStore, directory: string): Promise<void> {
  const stored = await settings.get(STORED_SECRET)
  if (stored === undefined) return
  try {
    if (readFile(directory) === undefined) writeSecret(directory, stored)
    await settings.remove(STORED_SECRET)
  } catch (error) {
    // On a full disk it stays in the database; a later start moves it.
    if (!isFull(error) && !(error instanceof SluiceError && error.status >= 500)) throw error
  }
}

function readFile(directory: string, name: string = DATA_FILES.secret): string | undefined {
  const file = path.join(directory, name)
  if (!existsSync(file)) return undefined
  try {
    return readFileSync(file, 'utf8').trim() || undefined
  } catch (error) {
    throw new SluiceError('data_dir_unusable', { path: file, reason: reasonOf(error) }, { cause: error })
  }
}

/** Writes the file completely or not at all, readable by its owner alone, and syncs it to the disk. */
function writeSecret(directory: string, secret: string, name: string = DATA_FILES.secret): void {
  const file = path.join(directory, name)
  const partial = `${file}.partial`
  try {
    rmSync(partial, { force: true })
    const handle = openSync(partial, 'wx', 0o600)
    try {
      writeSync(handle, `${secret}\n`)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    renameSync(partial, file)
    syncDirectory(directory)
  } catch (error) {
    if (isFull(error)) throw new SluiceError('storage_full', {}, { cause: error })
    throw new SluiceError('data_dir_unusable', { path: file, reason: reasonOf(error) }, { cause: error })
  }
}

/** Makes the new name of a file durable. Windows cannot open directories. */
function syncDirectory(directory: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(directory, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
