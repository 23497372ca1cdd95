import type { OpenInstallation } from '../contract/data-directory.ts'
import { refuseUnfinishedMove } from '../db/move/unfinished-move.ts'
import { apiKeyStore } from '../db/repositories/api-keys.ts'
import { openPostgres } from '../db/postgres/database.ts'
import { flowStore } from '../db/repositories/flows.ts'
import { sessionStore } from '../db/repositories/sessions.ts'
import { settingStore } from '../db/repositories/settings.ts'
import { makeSignInCode } from '../callers/sign-in-code.ts'

/**
 * What commands read and write of a PostgreSQL database, while its servers may run.
 *
 * @param address as in DATABASE_URL
 * @throws SluiceError as `openPostgres`; `move_unfinished`
 */
export async function openPostgresInstallation(address: string): Promise<OpenInstallation> {
  const database = await openPostgres(address, { program: 'sluice-command' })
  try {
    await refuseUnfinishedMove(settingStore(database.sql), address)
  } catch (error) {
    await database.close()
    throw error
  }
  return {
    keys: apiKeyStore(database.sql),
    flows: flowStore(database.sql),
    newSignInCode: () => makeSignInCode(sessionStore(database.sql), Date.now()),
    close: () => database.close(),
  }
}
