import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { besideModule, threadSource } from '../../kit/module.ts'

export type DatabaseCheck = {
  /** Whether the file is sound; undefined where the check was stopped before its end, or failed. */
  readonly sound: Promise<boolean | undefined>
  stop(): Promise<void>
}

/** Checks a database on a thread. A statement of SQLite cannot be interrupted: `stop` waits for its end. */
export function checkOnThread(file: string): DatabaseCheck {
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
