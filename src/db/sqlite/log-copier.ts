import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { besideModule, threadSource } from '../../kit/module.ts'

/** So many staged writes, each with about 2 MB, are in the log when a checkpoint begins. */
const WRITES_PER_COPY = 4
/** The thread ends when there was nothing to copy for so long. It takes about 10 MB of memory. */
const IDLE_MS = 5000

/** Copies the log into the database file while a large upsert is written. */
export type LogCopier = {
  /** A write of a large upsert is committed. */
  noteWrite(): void
  /** How many checkpoints have ended. */
  readonly copies: number
  /** Ends the thread; its connection is closed then. Can be called more than once. */
  close(): Promise<void>
}

/**
 * A checkpoint waits for the disk twice. In the writing thread these waits were a third of a large upsert, so another
 * thread makes the checkpoints while the writing thread goes on. The writing thread still makes them when the log becomes
 * very long. The thread starts with the first large upsert.
 */
export function createLogCopier(file: string): LogCopier {
  let worker: Worker | undefined
  let writes = 0
  let copies = 0
  let isBusy = false
  let idle: NodeJS.Timeout | undefined

  function start(): Worker {
    const made = new Worker(threadSource(besideModule(import.meta.url, './checkpoint-thread')), {
      eval: true,
      workerData: { file },
      execArgv: ['--no-warnings'],
      resourceLimits: { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 },
    })
    const done = () => {
      copies++
      isBusy = false
      if (writes >= WRITES_PER_COPY) copy()
    }
    made.on('message', done)
    // A checkpoint that fails is made by the writing thread, which reports the failure.
    made.on('error', () => {
      worker = undefined
      isBusy = false
    })
    made.unref()
    return made
  }

  function copy(): void {
    worker ??= start()
    writes = 0
    isBusy = true
    worker.postMessage('copy')
    clearTimeout(idle)
    idle = setTimeout(() => void close(), IDLE_MS).unref()
  }

  async function close(): Promise<void> {
    clearTimeout(idle)
    const ending = worker
    if (!ending) return
    worker = undefined
    isBusy = false
    // The process waits for it now.
    ending.ref()
    // A thread that fails ends too.
    const ended = once(ending, 'exit').catch(() => {})
    ending.postMessage('close')
    await ended
  }

  return {
    noteWrite() {
      if (++writes >= WRITES_PER_COPY && !isBusy) copy()
    },
    get copies() {
      return copies
    },
    close,
  }
}
