import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { besideModule, threadSource } from '../../kit/module.ts'
import type { ParsedApi } from '../operation.ts'
import type { ReadOptions } from './operations.ts'

const MAX_MS = 20_000
const HEAP_MB = 512

/**
 * Reads a description on a separate thread: a large one takes a second, a hostile one up to the limit.
 *
 * @throws Error with the reason if the text is not a description, or takes too much time or memory
 */
export async function readApiOffThread(
  texts: Record<string, string>,
  options: ReadOptions,
): Promise<ParsedApi> {
  const worker = new Worker(threadSource(besideModule(import.meta.url, './read-thread')), {
    eval: true,
    env: {},
    argv: [],
    workerData: { texts, options },
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  })
  try {
    const [read] = (await once(worker, 'message', { signal: AbortSignal.timeout(MAX_MS) })) as [
      { api: ParsedApi } | { reason: string },
    ]
    if ('api' in read) return read.api
    throw new Error(read.reason)
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError')
      throw new Error(`reading it takes longer than ${MAX_MS / 1000} seconds`)
    if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY')
      throw new Error(`reading it takes more than ${HEAP_MB} MB of memory`)
    throw error
  } finally {
    await worker.terminate()
  }
}
