import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { JobRecord } from '../../contract/job.ts'
import { reasonOf } from '../../kit/errors.ts'
import type { Log } from '../../kit/log.ts'

/** How often it is looked for folders that no comparison needs, in milliseconds. */
const SWEEP_MS = 60_000

export type TemporaryFolders = {
  /** The folder of a comparison, by the id of its job. */
  of(job: string): string
  remove(job: string): Promise<void>
  /** Removes the folders of comparisons that have ended. */
  sweep(): Promise<void>
  /** The same now and every minute. Returns what ends it. */
  start(): () => Promise<void>
}

/**
 * The folders of comparisons on this server. One stays while its job is queued or runs, so that the job goes on after a restart; of
 * several servers another may go on with it, and then the folder goes when the job has ended.
 */
export function temporaryFolders({
  root,
  findJob,
  log,
}: {
  root: string
  findJob(id: string): Promise<Pick<JobRecord, 'state'> | undefined>
  log: Log
}): TemporaryFolders {
  const of = (job: string) => path.join(root, job)
  const remove = (job: string) => rm(of(job), { recursive: true, force: true })

  async function sweep(): Promise<void> {
    for (const job of await readdir(root).catch(() => [])) {
      const state = (await findJob(job))?.state
      if (state !== 'queued' && state !== 'running') await remove(job)
    }
  }

  return {
    of,
    remove,
    sweep,
    start() {
      const note = (error: unknown) => log.warn('comparisons-not-tidied', { reason: reasonOf(error) })
      let last = sweep().catch(note)
      const timer = setInterval(() => {
        last = sweep().catch(note)
      }, SWEEP_MS).unref()
      return async () => {
        clearInterval(timer)
        await last
      }
    },
  }
}
