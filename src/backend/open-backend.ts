import type { DiskGuard } from '../db/disk-guard.ts'
import type { Config } from '../kit/config.ts'
import type { Log } from '../kit/log.ts'
import type { Backend } from './backend.ts'
import { openEmbedded } from './embedded.ts'

/** The database of DATABASE_URL, else the one in DATA_DIR. The modules of the first are loaded only where it is set. */
export async function openBackend(config: Config, guard: DiskGuard, log: Log): Promise<Backend> {
  if (config.DATABASE_URL === undefined) return openEmbedded(config, guard, log)
  const { openClusterBackend } = await import('./cluster.ts')
  return openClusterBackend(config, guard, log)
}
