import type { ChildProcess } from 'node:child_process'
import type { ParsedBatch, ParseRequest } from '../contract/file-parser.ts'
import { SluiceError } from '../kit/errors.ts'
import { startJailed } from './jail.ts'
import type { FromChild, ToChild, Toll } from './protocol.ts'
import { isStreamed } from './read-file.ts'

/** A child is replaced after this many files, this much resident memory, this much processor time. */
const MOST = { files: 200, memory: 400 * 2 ** 20, seconds: 300 }

/** What a process may take to start on a machine that has much else to do. */
const START_SECONDS = 60

/** One child process and the file it reads. */
export class ParserProcess {
  /** Settles when the process is no more. */
  readonly ended: Promise<void>
  readonly #child: ChildProcess
  readonly #arrived: FromChild[] = []
  #wake = () => {}
  #busy = false
  #dead = false
  #files = 0
  #toll: Toll = { memory: 0, seconds: 0 }

  constructor(entry: string, readable: readonly string[]) {
    const child = startJailed(entry, readable)
    this.#child = child
    child.on('message', (message: FromChild) => {
      this.#arrived.push(message)
      this.#wake()
    })
    const { promise, resolve } = Promise.withResolvers<void>()
    child.once('exit', () => resolve()).once('error', () => resolve())
    this.ended = promise.then(() => {
      this.#dead = true
      this.#wake()
    })
    this.#keepParent(false)
  }

  /** Whether it may be given another file. */
  get isFit(): boolean {
    const { memory, seconds } = this.#toll
    const young = this.#files < MOST.files && memory < MOST.memory && seconds < MOST.seconds
    return young && !this.#busy && !this.#dead
  }

  /**
   * Reads one file. The time limit counts from when the child begins, while this waits for it and never while its
   * caller is slow. Whoever stops listening before the end leaves a child that is not fit any more.
   */
  async *read(request: ParseRequest, seconds: number, signal?: AbortSignal): AsyncGenerator<ParsedBatch> {
    const file = request.name
    this.#busy = true
    this.#files++
    this.#keepParent(true)
    this.#tell({ read: request })
    let left = START_SECONDS * 1000
    while (true) {
      const asked = performance.now()
      const message = await this.#next(left, signal)
      left -= performance.now() - asked
      if (message === undefined && this.#dead) throw new SluiceError('file_crashed', { file })
      if (message === undefined) throw new SluiceError('file_timeout', { file, seconds })
      if (message === 'begun') {
        left = seconds * 1000
        continue
      }
      if ('batch' in message) {
        if (isStreamed(request.type)) left = seconds * 1000
        yield message.batch
        this.#tell('taken')
        continue
      }
      this.#busy = false
      this.#toll = message.toll
      this.#keepParent(false)
      if ('failed' in message) throw new SluiceError(message.failed.code, message.failed.facts)
      return
    }
  }

  kill(): Promise<void> {
    this.#keepParent(true)
    this.#child.kill('SIGKILL')
    return this.ended
  }

  /** The next message; undefined where the process has died or the time is over. */
  async #next(milliseconds: number, signal?: AbortSignal): Promise<FromChild | undefined> {
    signal?.throwIfAborted()
    if (this.#arrived.length === 0 && !this.#dead) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, milliseconds)
      const wake = () => resolve()
      this.#wake = wake
      signal?.addEventListener('abort', wake)
      await promise
      signal?.removeEventListener('abort', wake)
      clearTimeout(timer)
      signal?.throwIfAborted()
    }
    return this.#arrived.shift()
  }

  #tell(message: ToChild): void {
    // where the child is gone, its exit tells
    this.#child.send(message, () => {})
  }

  /** An idle child is no reason for this process to live on. */
  #keepParent(keep: boolean): void {
    const verb = keep ? 'ref' : 'unref'
    this.#child[verb]()
    this.#child.channel?.[verb]()
  }
}
