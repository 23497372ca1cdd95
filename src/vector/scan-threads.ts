import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { besideModule, threadSource } from '../kit/module.ts'
import type { Layout } from './blocks.ts'
import type { ThreadAnswer, ThreadMessage } from './scan-thread.ts'
import type { Hit, ScanRequest } from './scanner.ts'

/** How many threads share a search. */
export const SCAN_THREADS = Math.min(4, availableParallelism())

/** An image as threads have it: its memory, and scratch memory for each of them. */
export type ThreadedImage = { layout: Layout; scratches: readonly number[] }

type Call = { hits: Hit[]; missing: number } & PromiseWithResolvers<Hit[]>

/**
 * Threads that search images in shared memory: a large search takes less time, and the calling thread stays free. They start
 * with the first search and do not keep the process alive.
 */
export class ScanThreads {
  #workers: Worker[] | undefined
  readonly #images = new Map<ThreadedImage, number>()
  readonly #calls = new Map<number, Call>()
  #numbers = 0

  /** The best of each thread together, in no order. If the image changes meanwhile, the result is wrong and must be discarded. */
  async search(image: ThreadedImage, request: ScanRequest, blocks: number): Promise<Hit[]> {
    this.#workers ??= Array.from({ length: SCAN_THREADS }, () => this.#start())
    const next = new Int32Array(new SharedArrayBuffer(4))
    const id = this.#numbers++
    // A message copies the whole buffer of a view: the vector is copied out of it first.
    const own = { ...request, query: request.query.slice() }
    const message: ThreadMessage = { id, image: this.#numberOf(image), request: own, blocks, next }
    this.#tell(() => message)
    for (const worker of this.#workers) worker.ref()
    const call: Call = { hits: [], missing: this.#workers.length, ...Promise.withResolvers<Hit[]>() }
    this.#calls.set(id, call)
    return call.promise
  }

  /** Frees the memory of an image. */
  drop(image: ThreadedImage): void {
    const number = this.#images.get(image)
    if (number === undefined) return
    this.#images.delete(image)
    this.#tell(() => ({ drop: number }))
  }

  #numberOf(image: ThreadedImage): number {
    const known = this.#images.get(image)
    if (known !== undefined) return known
    const number = this.#numbers++
    this.#images.set(image, number)
    this.#tell((thread) => ({ add: number, layout: image.layout, scratch: image.scratches[thread]! }))
    return number
  }

  #tell(message: (thread: number) => ThreadMessage): void {
    for (const [thread, worker] of this.#workers?.entries() ?? []) worker.postMessage(message(thread))
  }

  #start(): Worker {
    const worker = new Worker(threadSource(besideModule(import.meta.url, './scan-thread')), {
      eval: true,
      execArgv: ['--no-warnings'],
    })
    worker.on('message', ({ id, hits }: ThreadAnswer) => this.#take(id, hits))
    worker.on('error', (error) => this.#fail(error))
    return worker
  }

  #take(id: number, hits: Hit[]): void {
    const call = this.#calls.get(id)
    if (!call) return
    call.hits.push(...hits)
    if (--call.missing > 0) return
    this.#calls.delete(id)
    if (this.#calls.size === 0) for (const worker of this.#workers ?? []) worker.unref()
    call.resolve(call.hits)
  }

  /** After a failure of one thread all are ended; the next search starts new ones. */
  #fail(error: Error): void {
    for (const worker of this.#workers ?? []) void worker.terminate()
    this.#workers = undefined
    this.#images.clear()
    for (const call of this.#calls.values()) call.reject(error)
    this.#calls.clear()
  }
}
