import { realpathSync, rmSync } from 'node:fs'
import path from 'node:path'
import { openBackend } from '../backend/open-backend.ts'
import { diskGuard } from '../db/disk-guard.ts'
import { lockDirectory, openPermissions } from '../db/directory.ts'
import type { Config } from '../kit/config.ts'
import { timedStores } from '../stores/timed-stores.ts'
import type { Log } from '../kit/log.ts'
import type { Closing } from './closing.ts'

/** The data directory, locked, which is created where it is missing. @throws SluiceError as `lockDirectory` */
export async function openDirectory(config: Config, log: Log, closing: Closing) {
  const lock = await lockDirectory(config.DATA_DIR)
  closing.add('lock', () => lock.release())
  const permissions = openPermissions(config.DATA_DIR)
  if (permissions !== undefined)
    log.warn('data-dir-open', {
      message: `other users of this machine can enter the data directory (permissions ${permissions}); to prevent that: chmod 700`,
      path: config.DATA_DIR,
    })
  const home = realpathSync(config.DATA_DIR)
  const scratch = path.join(home, 'scratch')
  // Files that upserts of a killed process left.
  rmSync(scratch, { recursive: true, force: true })
  return { lock, home, scratch, uploads: path.join(home, 'uploads') }
}

export type OpenDirectory = Awaited<ReturnType<typeof openDirectory>>

/** The database and the stores in it. @throws SluiceError as `openBackend` */
export async function openDatabaseOf(config: Config, log: Log, closing: Closing) {
  const guard = diskGuard(config.DATA_DIR, config.MIN_FREE_MB)
  const backend = await openBackend(config, guard, log).catch((error: unknown) => {
    guard.close()
    throw error
  })
  closing.add('database', () => backend.close())
  closing.add('stores', () => backend.stores.close())
  closing.add('background work', () => backend.stop())
  return { ...backend, stores: timedStores(backend.stores, config.ENGINE_TIMEOUT * 1000) }
}
