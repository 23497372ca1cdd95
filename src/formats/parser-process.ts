import type { ChildProcess } from 'node:child_process'
import type { ParsedBatch, ParseRequest } from '../contract/file-parser.ts'
import { SluiceError } from '../kit/errors.ts'
import { startJailed } from './jail.ts'
import { OCR_LIMITS, type OcrAnswer, type OcrOffer, type RasterHead } from './pdf/ocr.ts'
import type { Ocr } from './pdf/ocr-program.ts'
import type { FromChild, ToChild, ResourceUsage } from './protocol.ts'
import { isStreamed } from './read-file.ts'

/** A child is replaced after this many files, this much resident memory, this much processor time. */
const MAX = { files: 200, memory: 400 * 2 ** 20, seconds: 300 }

/** How long a process may take to start on a busy machine. */
const START_SECONDS = 60

/** How long a child may take to give more pixels of a page that it has. */
const STRIP_SECONDS = 60

/** The program that reads pages without text, what it can do for a file, and how a child gives up its place while it waits for it. */
export type OcrHelp = {
  program: Ocr
  offer: OcrOffer
  leave(): void
  comeBack(signal: AbortSignal | undefined): Promise<void>
}

type ReadOptions = {
  seconds: number
  signal: AbortSignal | undefined
  onEnd(): void
  ocr?: OcrHelp | undefined
}

/** Messages about one file that were not consumed yet. */
class PendingMessages {
  readonly arrived: FromChild[] = []
  wake = () => {}
}

/** One child process and the file it reads. */
export class ParserProcess {
  /** Settles when the process has ended. */
  readonly ended: Promise<void>
  readonly #child: ChildProcess
  #reading: PendingMessages | undefined
  /** Called when the current file has been read to its end. */
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

  /** Whether it may read another file. */
  get isReusable(): boolean {
    const { memory, seconds } = this.#usage
    const isYoung = this.#files < MAX.files && memory < MAX.memory && seconds < MAX.seconds
    return isYoung && !this.#reading && !this.#dead
  }

  /**
   * Reads one file. The time limit starts when the child begins the file, and does not run while the caller handles a
   * batch. If the caller stops before the end, the child is not reusable. A child that has read the whole file is
   * free for the next one, even if the caller has not consumed all batches.
   */
  async *read(
    request: ParseRequest,
    { seconds, signal, onEnd, ocr }: ReadOptions,
  ): AsyncGenerator<ParsedBatch> {
    const file = request.name
    const reading = new PendingMessages()
    this.#reading = reading
    this.#onEnd = onEnd
    this.#files++
    this.#keepParent(true)
    this.#send({ read: request, ...(ocr ? { ocr: ocr.offer } : {}) })
    let left = START_SECONDS * 1000
    while (true) {
      const waitingSince = performance.now()
      const message = await this.#next(reading, left, signal)
      left -= performance.now() - waitingSince
      if (message === undefined && this.#dead) throw new SluiceError('file_crashed', { file })
      if (message === undefined) throw new SluiceError('file_timeout', { file, seconds })
      if (message === 'begun') {
        left = seconds * 1000
        continue
      }
      if ('batch' in message) {
        if (isStreamed(request.type)) left = seconds * 1000
        yield message.batch
        if (this.#reading === reading) this.#send('consumed')
        continue
      }
      if ('raster' in message) {
        const answer = ocr
          ? await this.#readPage(reading, message.raster, { file, signal, ocr })
          : { failed: 'it was not asked for' }
        this.#send({ answer })
        // Pages are many, and each takes its time.
        left = seconds * 1000
        continue
      }
      if ('strip' in message) throw new SluiceError('file_crashed', { file })
      if ('failed' in message) throw new SluiceError(message.failed.code, message.failed.facts)
      return
    }
  }

  /** Has a page read that the child has in pixels. Meanwhile its place is free for another child. */
  async #readPage(
    reading: PendingMessages,
    head: RasterHead,
    { file, signal, ocr }: { file: string; signal: AbortSignal | undefined; ocr: OcrHelp },
  ): Promise<OcrAnswer> {
    const { width, height, dpi } = head
    const isSound = [width, height, dpi].every((one) => Number.isInteger(one) && one > 0)
    if (!isSound || width * height > OCR_LIMITS.pixels || 'lacking' in ocr.offer)
      return { failed: 'it is too large' }
    ocr.leave()
    const page = await ocr.program.begin(head, ocr.offer.languages, signal)
    try {
      for (let missing = width * height; missing > 0 && !page.isOver; ) {
        this.#send('strip')
        const message = await this.#next(reading, STRIP_SECONDS * 1000, signal)
        const strip = typeof message === 'object' && 'strip' in message ? message.strip : undefined
        if (!strip || strip.length === 0 || strip.length > missing)
          throw new SluiceError('file_crashed', { file })
        missing -= strip.length
        await page.write(strip)
      }
      const answer = await page.answer
      signal?.throwIfAborted()
      return answer
    } finally {
      page.stop()
      await ocr.comeBack(signal)
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

  /** The next message; undefined if the process has ended or the time is over. */
  async #next(
    reading: PendingMessages,
    milliseconds: number,
    signal?: AbortSignal,
  ): Promise<FromChild | undefined> {
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

  #send(message: ToChild): void {
    // a failed send is ignored: the exit of the child is handled
    this.#child.send(message, () => {})
  }

  /** An idle child must not keep this process alive. */
  #keepParent(keep: boolean): void {
    const verb = keep ? 'ref' : 'unref'
    this.#child[verb]()
    this.#child.channel?.[verb]()
  }
}
