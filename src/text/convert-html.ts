import { Worker } from 'node:worker_threads'
import { createKeyedQueue } from '../kit/keyed-queue.ts'
import { besideModule, threadSource } from '../kit/module.ts'

/** A text of up to this many characters is converted in the caller's thread: it takes a few milliseconds at most. */
export const MAX_INLINE_CHARACTERS = 16_384

const MAX_MS = 60_000
const HEAP_MB = 1024
/** Milliseconds that the thread is kept for the next text. */
const IDLE_MS = 5000

/** The thread's answer for one text. */
export type ConversionResult = { markdown: string } | { reason: string }

const queue = createKeyedQueue()
let thread: Worker | undefined
let idle: NodeJS.Timeout | undefined

/**
 * The markdown of a text that may be HTML, converted on a separate thread, one text after another.
 *
 * @throws Error with the reason if it takes more than a minute or a gigabyte; the reason of the signal
 */
export function convertHtmlOffThread(text: string, signal?: AbortSignal): Promise<string> {
  return queue.run('html', () => convert(text, signal), { signal })
}

async function convert(text: string, signal: AbortSignal | undefined): Promise<string> {
  clearTimeout(idle)
  signal?.throwIfAborted()
  thread ??= startThread()
  const worker = thread
  const { promise, resolve, reject } = Promise.withResolvers<ConversionResult>()
  const late = setTimeout(
    () => reject(new Error(`converting its HTML takes longer than ${MAX_MS / 1000} seconds`)),
    MAX_MS,
  )
  const abort = () => reject(signal!.reason)
  const fail = (error: NodeJS.ErrnoException) =>
    reject(
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? new Error(`converting its HTML takes more than ${HEAP_MB} MB of memory`)
        : error,
    )
  worker.once('message', resolve).once('error', fail)
  signal?.addEventListener('abort', abort, { once: true })
  worker.ref()
  worker.postMessage(text)
  try {
    const converted = await promise
    if ('reason' in converted) throw new Error(converted.reason)
    worker.unref()
    idle = setTimeout(endThread, IDLE_MS).unref()
    return converted.markdown
  } catch (error) {
    // The thread may still be busy.
    endThread()
    throw error
  } finally {
    clearTimeout(late)
    signal?.removeEventListener('abort', abort)
    worker.off('message', resolve).off('error', fail)
  }
}

function startThread(): Worker {
  const worker = new Worker(threadSource(besideModule(import.meta.url, './convert-html-thread')), {
    eval: true,
    env: {},
    argv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  })
  // Without a listener an error of an idle thread would end the process.
  worker.on('error', () => {})
  worker.once('exit', () => {
    if (thread === worker) thread = undefined
  })
  return worker
}

function endThread(): void {
  void thread?.terminate()
  thread = undefined
}
