import type { RotationReport, RotationRequest } from '../contract/data-directory.ts'
import { SluiceError } from '../kit/errors.ts'
import { randomToken } from '../kit/hash.ts'
import { createSecretBox } from '../kit/secret-box.ts'
import { lockDirectory } from './directory.ts'
import { openPostgres } from './postgres/database.ts'
import { resealPostgres } from './postgres/reseal-rows.ts'
import { refuseServers } from './postgres/servers.ts'
import { settingStore } from './repositories/settings.ts'
import { resealer, type Resealed } from './reseal.ts'
import { opensSealed, SECRET_CHECK, SECRET_TEXT } from './secret-check.ts'
import { Connection } from './sqlite/connection.ts'
import { openDatabase } from './sqlite/database.ts'
import { refuseLostLogOfOwner } from './sqlite/log-check.ts'
import { resealRows } from './sqlite/reseal-rows.ts'
import { keepNextSecret, openSecretKey, takeNextSecret } from './sqlite/secret-key.ts'

/**
 * Seals everything with a new secret, while no server runs. One transaction changes all rows: after an interruption, the old
 * secret is the right one or the new one is, and the same call again ends the rotation.
 *
 * @throws SluiceError `data_dir_in_use`, `database_in_use`, `secret_wrong`, `secret_missing`
 */
export async function rotateSecret(request: RotationRequest): Promise<RotationReport> {
  if (request.after !== undefined && request.before === request.after) throw new SluiceError('secret_same')
  return request.address === undefined ? inDirectory(request) : inPostgres(request, request.address)
}

async function inPostgres({ before, after }: RotationRequest, address: string): Promise<RotationReport> {
  if (before === undefined || after === undefined) throw new SluiceError('secret_not_given')
  const database = await openPostgres(address, { program: 'sluice-rotation' })
  try {
    await refuseServers(database)
    const check = await settingStore(database.sql).get(SECRET_CHECK)
    if (check !== undefined && opensSealed(after, check)) return DONE
    if (check !== undefined && !opensSealed(before, check))
      throw new SluiceError('secret_wrong', { source: 'The setting SECRET_KEY' })
    return { ...(await resealPostgres(database, resealer(before, after), checkOf(after))), isDone: false }
  } finally {
    await database.close()
  }
}

async function inDirectory({ directory, before, after }: RotationRequest): Promise<RotationReport> {
  const lock = await lockDirectory(directory)
  try {
    refuseLostLogOfOwner(directory)
    const database = openDatabase(directory)
    try {
      const check = await settingStore(database.sql).get(SECRET_CHECK)
      if (after !== undefined && check !== undefined && opensSealed(after, check)) return DONE
      const old = await openSecretKey(database, directory, before)
      if (before !== undefined && after === undefined) throw new SluiceError('secret_not_given')
      const secret = after ?? randomToken()
      // The secret that seals the rows after the commit must be on the disk before it.
      if (before === undefined) keepNextSecret(directory, secret)
      const resealed = resealFile(database.file, old, secret)
      if (before === undefined) takeNextSecret(directory)
      return { ...resealed, isDone: false }
    } finally {
      await database.close()
    }
  } finally {
    lock.release()
  }
}

const DONE: RotationReport = { credentials: 0, jobs: 0, unreadable: [], isDone: true }

const checkOf = (secret: string): string => createSecretBox(secret).seal(SECRET_TEXT)

function resealFile(file: string, before: string, after: string): Resealed {
  const connection = new Connection(file)
  try {
    // Texts under the old secret do not stay in free pages.
    connection.exec('PRAGMA secure_delete = ON')
    return resealRows(connection, resealer(before, after), checkOf(after))
  } finally {
    connection.close()
  }
}
