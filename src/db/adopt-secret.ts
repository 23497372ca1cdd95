import type { DataPlace } from '../contract/data-directory.ts'
import { SluiceError } from '../kit/errors.ts'
import { lockDirectory } from './directory.ts'
import { openPostgres } from './postgres/database.ts'
import { refuseServers } from './postgres/servers.ts'
import { settingStore } from './repositories/settings.ts'
import { keepSecretCheck, opensSealed, SECRET_CHECK } from './secret-check.ts'
import { openDatabase } from './sqlite/database.ts'
import { refuseLostLogOfOwner } from './sqlite/log-check.ts'
import { adoptSecretKey } from './sqlite/secret-key.ts'

/**
 * Accepts the present secret in place of a lost one, while no server runs. A data directory without a secret gets a new one.
 *
 * @param setting the setting SECRET_KEY
 * @returns names of the credentials that it does not open: they have to be entered again
 * @throws SluiceError `data_dir_in_use`, `database_in_use`; `config_invalid` over PostgreSQL without it
 */
export const adoptSecret = (
  { directory, address }: DataPlace,
  setting: string | undefined,
): Promise<string[]> =>
  address === undefined ? inDirectory(directory, setting) : inPostgres(address, setting)

async function inDirectory(directory: string, setting: string | undefined): Promise<string[]> {
  const lock = await lockDirectory(directory)
  try {
    refuseLostLogOfOwner(directory)
    const database = openDatabase(directory)
    try {
      return await adoptSecretKey(database, directory, setting)
    } finally {
      await database.close()
    }
  } finally {
    lock.release()
  }
}

async function inPostgres(address: string, setting: string | undefined): Promise<string[]> {
  if (setting === undefined) {
    const reason = 'with DATABASE_URL it must be set, to the new secret'
    throw new SluiceError('config_invalid', { name: 'SECRET_KEY', reason })
  }
  const database = await openPostgres(address, { program: 'sluice-secret' })
  try {
    await refuseServers(database)
    const settings = settingStore(database.sql)
    await settings.remove(SECRET_CHECK)
    await keepSecretCheck(settings, setting)
    const rows = await database.reader.all<{ name: string; sealed: string }>(
      'SELECT name, sealed FROM credentials ORDER BY name',
    )
    return rows.filter(({ sealed }) => !opensSealed(setting, sealed)).map(({ name }) => name)
  } finally {
    await database.close()
  }
}
