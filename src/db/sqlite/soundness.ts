import { setTimeout } from 'node:timers/promises'
import type { Dependency } from '../../contract/dependency.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { Log } from '../../kit/log.ts'
import { openOnce } from '../../kit/open-once.ts'
import { checkDatabase } from './check.ts'
import type { Database } from './database.ts'

/** What an owner can do about a damaged database. */
export const DAMAGE_HINT =
  'sluice verify shows what is damaged; sluice restore restores a backup into an empty data directory'

/** How long the check waits after the server has begun to listen, in milliseconds: the first requests come first. */
const DELAY_MS = 1000

/** How long `/readyz` waits for the check, in milliseconds: less than for a dependency that does not answer. */
const WAIT_MS = 2000

/** The check of the database of a running server. */
export type Soundness = {
  /**
   * Whether the file is sound; undefined where the check was stopped before its end. The first call starts the check. A
   * damaged file is logged, and written no more.
   */
  sound(): Promise<boolean | undefined>
  /** Starts the check after a second, where nothing has started it by then. */
  soon(): void
  /** The database, which waits some seconds for the check, and the disk; see `Dependency`. */
  dependencies: readonly Dependency[]
  stop(): Promise<void>
}

/** Checks the file of a database once, on a thread or in a process that cost nothing before they are needed. */
export function createSoundness(database: Database, log: Log): Soundness {
  const ending = new AbortController()
  const check = openOnce(async () => (ending.signal.aborted ? undefined : checkDatabase(database.file)))

  const sound = openOnce(async () => {
    const isSound = await (await check())?.sound
    if (isSound === false) {
      database.noteDamage()
      log.error('database-damaged', { message: DAMAGE_HINT })
    }
    if (isSound === undefined && !ending.signal.aborted)
      log.warn('database-not-checked', { message: 'the check of the database ended without a result' })
    return isSound
  })

  async function checkContents(): Promise<SluiceError | 'checking' | undefined> {
    // The check of a large file may take longer; then the answer says that it still runs.
    const isSound = await Promise.race([sound(), setTimeout(WAIT_MS, 'checking' as const, { ref: false })])
    if (isSound === false) return new SluiceError('database_damaged', { hint: DAMAGE_HINT })
    if (!(await database.isAlive())) return new SluiceError('not_ready')
    return isSound === true ? undefined : 'checking'
  }

  return {
    sound,
    soon() {
      void setTimeout(DELAY_MS, undefined, { ref: false, signal: ending.signal }).then(sound, () => {})
    },
    dependencies: [
      { name: 'database', check: checkContents },
      {
        name: 'disk',
        async check() {
          const full = database.shortage()
          return full && new SluiceError('read_only', full.facts)
        },
      },
    ],
    async stop() {
      ending.abort()
      await (await check())?.stop()
    },
  }
}
