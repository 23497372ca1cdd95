import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { createPlaces } from '../../kit/work-places.ts'
import { startLimited } from '../jail.ts'
import { OCR_LIMITS, type OcrAnswer, type OcrOffer, type RasterHead } from './ocr.ts'

/** The value of the setting that turns it off. */
export const OCR_OFF = 'off'

export type OcrOptions = {
  /** The program: a name that the shell finds, or a path. {@link OCR_OFF} for none. */
  program: string
  /** The most pages of a file. */
  pages: number
  /** How many pages are read at the same time; unless given, all processors but one have one. */
  atOnce?: number
  /** How long one page may take. */
  seconds?: number
}

/** A page whose pixels are being given to the program. */
export type OcrPage = {
  /** Gives it more pixels. Resolves when it wants more; also where it has ended. */
  write(pixels: Uint8Array): Promise<void>
  /** Resolves when it has read the page, or why it did not. */
  answer: Promise<OcrAnswer>
  /** Whether the answer is there: no more pixels are needed. */
  readonly isOver: boolean
  /** Ends the program. */
  stop(): void
}

export type Ocr = {
  /** Whether pages can be read in these languages; without any in English, or the first one that is there. */
  offer(languages: readonly string[] | undefined): Promise<OcrOffer>
  /** Starts the program for a page, once others are done. @throws the reason of the signal */
  begin(head: RasterHead, languages: string, signal: AbortSignal | undefined): Promise<OcrPage>
  close(): void
}

/** How long what is known of the program is believed, in milliseconds: it may be installed while the server runs. */
const KNOWN_MS = 60_000

/** How long the program may take to list its languages. */
const LIST_SECONDS = 20

/** What a language is called: `deu`, `chi_sim`, `script/Latin`. */
const LANGUAGE = /^\w+(\/\w+)?$/

type Found = { languages: string[]; turns: boolean } | undefined

/** Reads pages by tesseract, one process with one thread for each page. */
export function createOcr(options: OcrOptions): Ocr {
  const { program, pages, seconds = OCR_LIMITS.seconds } = options
  const { atOnce = Math.max(1, Math.min(availableParallelism() - 1, 4)) } = options
  const places = createPlaces(atOnce)
  const running = new Set<AbortController>()
  let closed = false
  let found: { at: number; languages: Promise<Found> } | undefined

  function start(args: readonly string[], limit: number, stop: AbortSignal) {
    const limits = { megabytes: OCR_LIMITS.memory, seconds: limit }
    // Several threads for one page cost more time than they gain.
    const child = startLimited([program, ...args], limits, { OMP_THREAD_LIMIT: '1', LC_ALL: 'C' })
    const kill = () => void child.kill('SIGKILL')
    if (stop.aborted) kill()
    else stop.addEventListener('abort', kill)
    child.once('exit', () => stop.removeEventListener('abort', kill))
    // A program that ends early closes its input.
    child.stdin.on('error', () => {})
    child.stdout.on('error', () => {})
    child.on('error', () => {})
    return child
  }

  /** All that the program writes; undefined where it fails, or writes too much, or takes too long. */
  async function output(child: ReturnType<typeof start>, limit: number): Promise<Uint8Array | string> {
    const pieces: Uint8Array[] = []
    let bytes = 0
    let failure: string | undefined
    const fail = (reason: string) => {
      failure ??= reason
      child.kill('SIGKILL')
    }
    const timer = setTimeout(() => fail(`it took longer than ${limit} seconds`), limit * 1000)
    child.stdout.on('data', (piece: Uint8Array) => {
      bytes += piece.length
      if (bytes > OCR_LIMITS.answerBytes) fail('it wrote too much')
      else pieces.push(piece)
    })
    const code = await new Promise<number | null>((resolve) =>
      child.once('close', resolve).once('error', () => resolve(null)),
    )
    clearTimeout(timer)
    if (failure !== undefined) return failure
    return code === 0 ? Buffer.concat(pieces) : 'it ended with an error'
  }

  async function list(): Promise<Found> {
    const stop = new AbortController()
    running.add(stop)
    try {
      const child = start(['--list-langs'], LIST_SECONDS, stop.signal)
      child.stdin.end()
      const listed = await output(child, LIST_SECONDS)
      if (typeof listed === 'string') return undefined
      const [, ...names] = Buffer.from(listed).toString('utf8').split('\n')
      const known = names.map((name) => name.trim()).filter((name) => LANGUAGE.test(name))
      return { languages: known.filter((name) => name !== 'osd'), turns: known.includes('osd') }
    } finally {
      running.delete(stop)
    }
  }

  function look(): Promise<Found> {
    const now = performance.now()
    if (!found || now - found.at > KNOWN_MS) found = { at: now, languages: list() }
    return found.languages
  }

  return {
    async offer(wanted) {
      if (program === OCR_OFF) return { lacking: 'OCR is turned off (TESSERACT=off)' }
      const there = await look()
      const name = path.basename(program)
      if (!there) return { lacking: `the program ${name}, which reads them, is not installed` }
      const { languages } = there
      const installed = languages.length > 0 ? languages.join(', ') : 'none'
      const asked =
        wanted && wanted.length > 0 ? wanted : languages.includes('eng') ? ['eng'] : languages.slice(0, 1)
      const missing = asked.filter((language) => !languages.includes(language))
      if (missing.length > 0 || asked.length === 0) {
        const what =
          missing.length > 1
            ? `the languages ${missing.join(', ')} are`
            : `the language ${missing[0] ?? 'eng'} is`
        return { lacking: `${what} not installed for ${name} (installed: ${installed})` }
      }
      return { languages: asked.join('+'), pages }
    },

    async begin({ width, height, dpi }, languages, signal) {
      const turns = (await look())?.turns === true
      await places.take(signal)
      const stop = new AbortController()
      running.add(stop)
      const abort = () => stop.abort()
      signal?.addEventListener('abort', abort)
      // It may have been closed while this waited.
      if (closed) abort()
      // 1: with the direction of the page, which a scanner may have turned; 3: without.
      const args = [
        'stdin',
        'stdout',
        '-l',
        languages,
        '--psm',
        turns ? '1' : '3',
        '--dpi',
        String(dpi),
        'tsv',
      ]
      const child = start(args, seconds * 2, stop.signal)
      const page = { isOver: false }
      const answer = output(child, seconds)
        .then((read) => (typeof read === 'string' ? { failed: read } : { tsv: read }))
        .finally(() => {
          page.isOver = true
          running.delete(stop)
          signal?.removeEventListener('abort', abort)
          places.release()
        })
      child.stdin.write(`P5\n${width} ${height}\n255\n`)
      let missing = width * height
      return {
        answer,
        get isOver() {
          return page.isOver
        },
        async write(pixels) {
          missing -= pixels.length
          if (!child.stdin.write(pixels) && missing > 0)
            await Promise.race([once(child.stdin, 'drain').catch(() => {}), answer])
          if (missing <= 0) child.stdin.end()
        },
        stop: abort,
      }
    },

    close() {
      closed = true
      for (const stop of running) stop.abort()
    },
  }
}
