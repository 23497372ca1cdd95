import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { FileParser, ParsedBatch, ParseRequest } from '../contract/file-parser.ts'
import { SluiceError } from '../kit/errors.ts'
import { besideModule } from '../kit/module.ts'
import { createPlaces } from '../kit/work-places.ts'
import type { Ocr } from './pdf/ocr-program.ts'
import { ParserProcess } from './parser-process.ts'

export type FileParserOptions = {
  /** The folders that contain the files. */
  readable: readonly string[]
  /** The most child processes; each is started when there is work and the others are busy. */
  size?: number
  /** Time limit per file, or per batch of a streamed file. */
  seconds?: number
  /** Reads pages without text; without it they stay unread. */
  ocr?: Ocr
  /** The module that a child runs. */
  entry?: string
}

/** How many children may wait for the program for pages without text while others work in their places: each holds its file. */
const MOST_AWAY = 6

const CHILD = fileURLToPath(besideModule(import.meta.url, './child'))

/** A pool of child processes that read files, each one file at a time. */
export function createFileParser(options: FileParserOptions): FileParser {
  const {
    readable,
    size = Math.max(2, Math.min(availableParallelism() - 1, 4)),
    seconds = 60,
    entry = CHILD,
    ocr,
  } = options
  const alive = new Set<ParserProcess>()
  const idle: ParserProcess[] = []
  const places = createPlaces(size)
  /** Children that wait for the program for pages without text, without a place. */
  let away = 0
  let closed = false

  async function* parse(request: ParseRequest, signal?: AbortSignal): AsyncGenerator<ParsedBatch> {
    const offer = request.type === 'pdf' ? await ocr?.offer(request.options?.ocrLanguages) : undefined
    await places.take(signal)
    const child = idle.pop() ?? start()
    let isHere = true
    let held = true
    const help = ocr &&
      offer && {
        program: ocr,
        offer,
        leave() {
          if (!isHere || away >= MOST_AWAY) return
          isHere = false
          away++
          places.release()
        },
        async comeBack(given: AbortSignal | undefined) {
          if (isHere) return
          await places.take(given)
          away--
          isHere = true
        },
      }
    const returnChild = () => {
      if (!held) return
      held = false
      if (child.isReusable && !closed) idle.push(child)
      else void child.kill()
      if (isHere) places.release()
      else away--
    }
    try {
      yield* child.read(request, { seconds, signal, onEnd: returnChild, ocr: help })
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

  return {
    parse,
    async variant(type, { ocrLanguages } = {}) {
      const offer = type === 'pdf' ? await ocr?.offer(ocrLanguages) : undefined
      return offer && 'languages' in offer ? `ocr ${offer.languages} ${offer.pages}` : undefined
    },
    async close() {
      closed = true
      ocr?.close()
      await Promise.all([...alive].map((child) => child.kill()))
    },
  }
}
