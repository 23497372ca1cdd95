import { Worker } from 'node:worker_threads'
import { besideModule, threadSource } from '../../kit/module.ts'

/**
 * So many staged writes, each with about 2 MB, are in the log when a checkpoint begins. An upsert with less is copied by the writing
 * thread after its answer: the start of another thread takes 60 ms of processor time.
 */
const WRITES_PER_COPY = 16
/** The thread ends when there was nothing to copy for so long. It takes about 10 MB of memory. */
const IDLE_MS = 5000

/** Copies the log into the database file while a large upsert is written. */
export type LogCopier = {
  /** A write of a large upsert is committed. */
  noteWrite(): void
  /** How many checkpoints have ended. */
  readonly copies: number
  /** Whether a thread runs or starts. */
  readonly isRunning: boolean
  /** Resolves when every thread has ended and its connection is closed. No copy starts after that. Can be called again. */
  close(): Promise<void>
}

/**
 * A checkpoint waits for the disk twice. In the writing thread these waits were a third of a large upsert, so another
 * thread makes the checkpoints while the writing thread goes on. The writing thread still makes them when the log becomes
 * very long. The thread starts with the first large upsert, and ends after `idleMs` milliseconds without a copy.
 */
export function createLogCopier(file: string, idleMs = IDLE_MS): LogCopier {
  let worker: Worker | undefined
  /** Resolves when all threads that were started have ended. */
  let ended: Promise<unknown> = Promise.resolve()
  let writes = 0
  let copies = 0
  let isBusy = false
  let isClosed = false
  let idle: NodeJS.Timeout | undefined

  function start(): Worker {
    const made = new Worker(threadSource(besideModule(import.meta.url, './checkpoint-thread')), {
      eval: true,
      workerData: { file },
      execArgv: ['--no-warnings'],
      resourceLimits: { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 },
    })
    // A thread that was asked to end can still answer or fail: then it changes nothing.
    made.on('message', () => {
      if (worker !== made) return
      copies++
      isBusy = false
      if (writes >= WRITES_PER_COPY) copy()
      else idle = setTimeout(end, idleMs).unref()
    })
    // A checkpoint that fails is made by the writing thread, which reports the failure.
    made.on('error', () => {
      if (worker !== made) return
      worker = undefined
      isBusy = false
    })
    const exit = new Promise((resolve) => made.once('exit', resolve))
    ended = Promise.all([ended, exit])
    made.unref()
    return made
  }

  function copy(): void {
    worker ??= start()
    writes = 0
    isBusy = true
    worker.postMessage('copy')
    clearTimeout(idle)
  }

  function end(): void {
    clearTimeout(idle)
    // The process waits for it now.
    worker?.ref()
    worker?.postMessage('close')
    worker = undefined
    isBusy = false
  }

  return {
    noteWrite() {
      if (++writes >= WRITES_PER_COPY && !isBusy && !isClosed) copy()
    },
    get copies() {
      return copies
    },
    get isRunning() {
      return worker !== undefined
    },
    async close() {
      isClosed = true
      end()
      await ended
    },
  }
}
