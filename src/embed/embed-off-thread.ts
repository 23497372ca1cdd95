import { Worker } from 'node:worker_threads'
import { besideModule, threadSource } from '../kit/module.ts'
import type { EmbeddedBatch } from './embed-batch.ts'
import type { EmbedAnswer, EmbedFailure } from './embed-thread.ts'

/** The thread and its copy of the model take about 40 MB; it ends when it had no work for so long. */
const IDLE_MS = 5000

/**
 * Embeds large batches on a thread, so that reading and cutting go on meanwhile. The thread starts with the first batch.
 *
 * @returns a function that rejects where the thread fails; the next batch then starts a new one
 */
export function embedOffThread(modelPath: string): (texts: readonly string[]) => Promise<EmbeddedBatch> {
  const waiting = new Map<number, PromiseWithResolvers<EmbeddedBatch>>()
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let nextId = 0

  function start(): Worker {
    const made = new Worker(threadSource(besideModule(import.meta.url, './embed-thread')), {
      eval: true,
      workerData: { modelPath },
      execArgv: ['--no-warnings'],
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
    })
    made.on('message', (answer: EmbedAnswer | EmbedFailure) => {
      const call = waiting.get(answer.id)!
      waiting.delete(answer.id)
      if ('numbers' in answer) call.resolve(answer)
      else call.reject(new Error(answer.reason))
      if (waiting.size > 0) return
      made.unref()
      idle = setTimeout(() => end(made), IDLE_MS).unref()
    })
    made.on('error', (error: Error) => {
      end(made)
      for (const call of waiting.values()) call.reject(error)
      waiting.clear()
    })
    return made
  }

  function end(one: Worker): void {
    if (worker === one) worker = undefined
    void one.terminate()
  }

  return (texts) => {
    clearTimeout(idle)
    worker ??= start()
    worker.ref()
    const call = Promise.withResolvers<EmbeddedBatch>()
    const id = nextId++
    waiting.set(id, call)
    worker.postMessage({ id, texts })
    return call.promise
  }
}
