import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Cleanup } from '../../src/contract/record-manager.ts'
import type { BoundaryName } from './crash-journal.ts'

/** One upsert that a child is to run. */
export type Order = {
  /** The data directory. */
  data: string
  /** The folder to load. */
  files: string
  cleanup: Cleanup
  journal: string
  /** Where it kills itself: when it has reached a boundary that many times. */
  dieAt?: { boundary: BoundaryName; times: number }
}

const CHILD = fileURLToPath(new URL('./crash-child.ts', import.meta.url))

/** Children that load files and may be killed meanwhile; the next one starts while one is at work. */
export class CrashChildren {
  readonly #root: string
  readonly #first: string
  #next: Promise<ChildProcess>

  /** @param files the folders from which they load, all below one root */
  constructor(root: string, files: string) {
    this.#root = root
    this.#first = path.join(files, readdirSync(files)[0]!)
    this.#next = this.#start()
  }

  async #start(): Promise<ChildProcess> {
    const cache = process.env.NODE_COMPILE_CACHE ?? path.join(this.#root, 'compile-cache')
    const child = fork(CHILD, [this.#root, this.#first], { env: { NODE_COMPILE_CACHE: cache } })
    await once(child, 'message')
    return child
  }

  /**
   * Makes a child process run an upsert.
   *
   * @param killAfter kills it so many milliseconds later, unless it is done by then
   * @returns whether it was killed, and how many milliseconds it lived with its order
   */
  async run(order: Order, killAfter?: number): Promise<{ killed: boolean; lived: number }> {
    const child = await this.#next
    this.#next = this.#start()
    const began = performance.now()
    child.send(order)
    const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfter)
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
    clearTimeout(timer)
    if (signal === null && code !== 0) throw new Error(`the child ended with ${code}`)
    return { killed: signal === 'SIGKILL', lived: performance.now() - began }
  }

  async close(): Promise<void> {
    const child = await this.#next
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
}
