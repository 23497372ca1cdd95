import type { MoveProgress, MoveReport, MoveRequest } from '../../contract/data-directory.ts'
import { SluiceError } from '../../kit/errors.ts'
import { randomId } from '../../kit/hash.ts'
import { maskAddress } from '../../kit/mask-address.ts'
import { lockDirectory } from '../directory.ts'
import { openPostgres, type PostgresDatabase } from '../postgres/database.ts'
import { refuseServers } from '../postgres/servers.ts'
import { settingStore } from '../repositories/settings.ts'
import { opensSealed, SECRET_CHECK } from '../secret-check.ts'
import { openDatabase } from '../sqlite/database.ts'
import { refuseLostLogOfOwner } from '../sqlite/log-check.ts'
import { openSecretKey } from '../sqlite/secret-key.ts'
import { intoDirectory } from './into-directory.ts'
import { intoPostgres } from './into-postgres.ts'
import { moveRows } from './move.ts'
import { DATABASE_ID, MOVE } from './moved-tables.ts'
import { postgresRows } from './postgres-rows.ts'
import { sqliteRows } from './sqlite-rows.ts'

type Note = (progress: MoveProgress) => void

/** The name under which the connections of a move are listed by PostgreSQL. */
const PROGRAM = 'sluice-move'

/**
 * Moves everything between a data directory and a PostgreSQL database, which both must have no server. The source is not
 * changed.
 *
 * @throws SluiceError `data_dir_in_use`, `database_in_use`, `move_target_used`, `move_done`, `move_differs`, `secret_wrong`,
 *   `secret_missing`; what opening a database throws
 */
export async function runMove(request: MoveRequest, note: Note): Promise<MoveReport> {
  const lock = await lockDirectory(request.directory)
  try {
    const postgres = await openPostgres(request.address, { program: PROGRAM })
    try {
      await refuseServers(postgres)
      return await (request.into === 'postgres'
        ? fill(postgres, request, note)
        : drain(postgres, request, note))
    } finally {
      await postgres.close()
    }
  } finally {
    lock.release()
  }
}

/** From the data directory into PostgreSQL. */
async function fill(postgres: PostgresDatabase, request: MoveRequest, note: Note): Promise<MoveReport> {
  const { directory, address, secretKey, restart } = request
  refuseLostLogOfOwner(directory)
  const database = openDatabase(directory)
  try {
    const secret = await openSecretKey(database, directory, secretKey)
    const from = await settingStore(database.sql).keep(DATABASE_ID, randomId())
    const target = intoPostgres(postgres, { place: maskAddress(address), restart })
    const tables = await moveRows(sqliteRows(database.reader), target, from, note)
    await refuseServers(postgres)
    return { tables, secret: secretKey === undefined ? 'secret.key' : 'SECRET_KEY', secretText: secret }
  } finally {
    await database.close()
  }
}

/** From PostgreSQL into the data directory. */
async function drain(postgres: PostgresDatabase, request: MoveRequest, note: Note): Promise<MoveReport> {
  const { directory, address, secretKey, restart } = request
  const settings = settingStore(postgres.sql)
  if ((await settings.get(MOVE)) !== undefined)
    throw new SluiceError('move_unfinished', { place: maskAddress(address) })
  const sealed = await settings.get(SECRET_CHECK)
  if (secretKey !== undefined && sealed !== undefined && !opensSealed(secretKey, sealed))
    throw new SluiceError('secret_wrong', { source: 'The setting SECRET_KEY' })
  const from = await settings.keep(DATABASE_ID, randomId())
  const target = intoDirectory(directory, { restart })
  try {
    const tables = await moveRows(postgresRows(postgres), target, from, note)
    await refuseServers(postgres)
    return { tables, secret: 'SECRET_KEY', secretText: secretKey }
  } finally {
    target.close()
  }
}
