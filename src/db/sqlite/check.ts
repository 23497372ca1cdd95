import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { besideModule, threadSource } from '../../kit/module.ts'

export type DatabaseCheck = {
  /** Whether the file is sound; undefined where the check was stopped before its end. */
  readonly sound: Promise<boolean | undefined>
  stop(): Promise<void>
}

/**
 * Reads a whole database for damage, on a thread and a connection of its own: the structure of all pages, with
 * `PRAGMA integrity_check`, then the contents that have a checksum. The contents of a large database are read with
 * pauses.
 */
export function checkDatabase(file: string): DatabaseCheck {
  const worker = new Worker(threadSource(besideModule(import.meta.url, './check-thread')), {
    eval: true,
    workerData: { file },
    execArgv: ['--no-warnings'],
    resourceLimits: { maxYoungGenerationSizeMb: 4 },
  })
  worker.unref()
  const answered = once(worker, 'message').then(([sound]) => sound as boolean)
  const ended = once(worker, 'exit').then(() => undefined)
  return {
    // A thread that fails leaves the answer open: undefined, not sound.
    sound: Promise.race([answered, ended]).catch(() => undefined),
    stop: async () => void (await worker.terminate()),
  }
}
