import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { FileParser, ParsedBatch, ParseRequest } from '../contract/file-parser.ts'
import { SluiceError } from '../kit/errors.ts'
import { besideModule } from '../kit/module.ts'
import { ParserProcess } from './parser-process.ts'

export type FileParserOptions = {
  /** The folders that contain the files. */
  readable: readonly string[]
  /** The most child processes; each is started when there is work and the others are busy. */
  size?: number
  /** Time limit per file, or per batch of a streamed file. */
  seconds?: number
  /** The module that a child runs. */
  entry?: string
}

const CHILD = fileURLToPath(besideModule(import.meta.url, './child'))

/** A pool of child processes that read files, each one file at a time. */
export function createFileParser(options: FileParserOptions): FileParser {
  const {
    readable,
    size = Math.max(2, Math.min(availableParallelism() - 1, 4)),
    seconds = 60,
    entry = CHILD,
  } = options
  const alive = new Set<ParserProcess>()
  const idle: ParserProcess[] = []
  const waiting: (() => void)[] = []
  let free = size
  let closed = false

  async function* parse(request: ParseRequest, signal?: AbortSignal): AsyncGenerator<ParsedBatch> {
    await takeSlot(signal)
    const child = idle.pop() ?? start()
    let held = true
    const returnChild = () => {
      if (!held) return
      held = false
      if (child.isReusable && !closed) idle.push(child)
      else void child.kill()
      releaseSlot()
    }
    try {
      yield* child.read(request, { seconds, signal, onEnd: returnChild })
    } catch (error) {
      throw closed ? new SluiceError('stopping') : error
    } finally {
      returnChild()
    }
  }

  function start(): ParserProcess {
    if (closed) throw new SluiceError('stopping')
    const child = new ParserProcess(entry, readable)
    alive.add(child)
    void child.ended.then(() => {
      alive.delete(child)
      const place = idle.indexOf(child)
      if (place >= 0) idle.splice(place, 1)
    })
    return child
  }

  async function takeSlot(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    if (free > 0) {
      free--
      return
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const abort = () => {
      const place = waiting.indexOf(resolve)
      if (place >= 0) waiting.splice(place, 1)
      reject(signal!.reason)
    }
    waiting.push(resolve)
    signal?.addEventListener('abort', abort, { once: true })
    await promise
    signal?.removeEventListener('abort', abort)
  }

  function releaseSlot(): void {
    const next = waiting.shift()
    if (next) next()
    else free++
  }

  return {
    parse,
    async close() {
      closed = true
      await Promise.all([...alive].map((child) => child.kill()))
    },
  }
}
