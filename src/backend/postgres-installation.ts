import type { OpenInstallation } from '../contract/data-directory.ts'
import { refuseUnfinishedMove } from '../db/move/unfinished-move.ts'
import { postgresApiKeys } from '../db/postgres/api-keys.ts'
import { openPostgres } from '../db/postgres/database.ts'
import { postgresFlows } from '../db/postgres/flows.ts'
import { postgresSessions } from '../db/postgres/sessions.ts'
import { postgresSettings } from '../db/postgres/settings.ts'
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
    await refuseUnfinishedMove(postgresSettings(database), address)
  } catch (error) {
    await database.close()
    throw error
  }
  return {
    keys: postgresApiKeys(database),
    flows: postgresFlows(database),
    newSignInCode: () => makeSignInCode(postgresSessions(database), Date.now()),
    close: () => database.close(),
  }
}
