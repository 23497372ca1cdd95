import type { ChildProcess } from 'node:child_process'
import type { ParsedBatch, ParseRequest } from '../contract/file-parser.ts'
import { SluiceError } from '../kit/errors.ts'
import { startJailed } from './jail.ts'
import type { FromChild, ToChild, ResourceUsage } from './protocol.ts'
import { isStreamed } from './read-file.ts'

/** A child is replaced after this many files, this much resident memory, this much processor time. */
const MAX = { files: 200, memory: 400 * 2 ** 20, seconds: 300 }

/** What a process may take to start on a machine that has much else to do. */
const START_SECONDS = 60

/** What has come of one file, until it is taken. */
class Reading {
  readonly arrived: FromChild[] = []
  wake = () => {}
}

/** One child process and the file it reads. */
export class ParserProcess {
  /** Settles when the process is no more. */
  readonly ended: Promise<void>
  readonly #child: ChildProcess
  #reading: Reading | undefined
  /** Told when the file under work has been read to its end. */
  #onEnd = () => {}
  #dead = false
  #files = 0
  #usage: ResourceUsage = { memory: 0, seconds: 0 }

  constructor(entry: string, readable: readonly string[]) {
    const child = startJailed(entry, readable)
    this.#child = child
    child.on('message', (message: FromChild) => this.#receive(message))
    const { promise, resolve } = Promise.withResolvers<void>()
    child.once('exit', () => resolve()).once('error', () => resolve())
    this.ended = promise.then(() => {
      this.#dead = true
      this.#reading?.wake()
    })
    this.#keepParent(false)
  }

  /** Whether it may be given another file. */
  get isFit(): boolean {
    const { memory, seconds } = this.#usage
    const young = this.#files < MAX.files && memory < MAX.memory && seconds < MAX.seconds
    return young && !this.#reading && !this.#dead
  }

  /**
   * Reads one file. The time limit counts from when the child begins, while this waits for it and never while its
   * caller is slow. Whoever stops listening before the end leaves a child that is not fit any more; one that has read
   * all is free for the next file, even where its caller has not come to the end.
   */
  async *read(
    request: ParseRequest,
    { seconds, signal, onEnd }: { seconds: number; signal: AbortSignal | undefined; onEnd(): void },
  ): AsyncGenerator<ParsedBatch> {
    const file = request.name
    const reading = new Reading()
    this.#reading = reading
    this.#onEnd = onEnd
    this.#files++
    this.#keepParent(true)
    this.#tell({ read: request })
    let left = START_SECONDS * 1000
    while (true) {
      const asked = performance.now()
      const message = await this.#next(reading, left, signal)
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
        if (this.#reading === reading) this.#tell('taken')
        continue
      }
      if ('failed' in message) throw new SluiceError(message.failed.code, message.failed.facts)
      return
    }
  }

  #receive(message: FromChild): void {
    const reading = this.#reading
    reading?.arrived.push(message)
    if (typeof message === 'object' && 'usage' in message) {
      this.#reading = undefined
      this.#usage = message.usage
      this.#keepParent(false)
      this.#onEnd()
    }
    reading?.wake()
  }

  kill(): Promise<void> {
    this.#keepParent(true)
    this.#child.kill('SIGKILL')
    return this.ended
  }

  /** The next message; undefined where the process has died or the time is over. */
  async #next(reading: Reading, milliseconds: number, signal?: AbortSignal): Promise<FromChild | undefined> {
    signal?.throwIfAborted()
    if (reading.arrived.length === 0 && !this.#dead) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, milliseconds)
      const wake = () => resolve()
      reading.wake = wake
      signal?.addEventListener('abort', wake)
      await promise
      signal?.removeEventListener('abort', wake)
      clearTimeout(timer)
      signal?.throwIfAborted()
    }
    return reading.arrived.shift()
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
