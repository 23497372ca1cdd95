import type { DocumentPart } from '../contract/document.ts'
import { SluiceError } from '../kit/errors.ts'
import type { StreamReader } from './reader.ts'
import { clockTime, type Cue, CueFinder } from './subtitle-cues.ts'
import { textLines } from './text-lines.ts'

/**
 * Reads subtitles and transcripts in SubRip or WebVTT: a document per passage of about a minute, because a single cue
 * says too little to be found. A passage ends with a sentence or before a pause. A line names its speaker where he or
 * she changes. Lines that roll on from cue to cue are kept once. Metadata: `start` and `end` (`00:01:02.500`).
 */
export const readSubtitles: StreamReader = async function* (file, _options, limits) {
  const cues = new CueFinder()
  const passages = new Passages()
  let lines = 0
  let found = 0
  function* take(cue: Cue | undefined): Generator<DocumentPart> {
    if (!cue) return
    found++
    const passage = passages.push(cue)
    if (passage) yield passage
  }
  for await (const line of textLines(file, limits.lineLength)) {
    if (line.trim() !== '') lines++
    yield* take(cues.push(line))
  }
  yield* take(cues.end())
  const last = passages.end()
  if (last) yield last
  // WEBVTT alone is a file without cues
  if (found === 0 && lines > 1)
    throw new SluiceError('file_unreadable', {
      file: file.name,
      reason: 'no line in it has times, as 00:01.000 --> 00:02.000',
    })
}

/** A passage is about this long, in characters, where it can end with a sentence; twice as long, where it cannot. */
const USUAL_LENGTH = 800
/** In seconds: before a longer pause a passage ends. */
const LONG_PAUSE = 8

/** Joins cues to passages. */
class Passages {
  #text = ''
  #start = 0
  #end = 0
  #speaker: string | undefined
  #lastLines: readonly string[] = []

  /** The passage that ends before or with this cue. */
  push(cue: Cue): DocumentPart | undefined {
    const isPause = this.#text !== '' && cue.start - this.#end > LONG_PAUSE
    const before = isPause ? this.end() : undefined
    const fresh = cue.lines.filter((line) => !this.#lastLines.includes(line))
    this.#lastLines = cue.lines
    if (this.#text === '') this.#start = cue.start
    this.#end = Math.max(cue.end, this.#text === '' ? 0 : this.#end)
    if (fresh.length > 0) this.#add(fresh.join(' '), cue.speaker)
    const isLong = this.#text.length > USUAL_LENGTH && /[.!?…。！？]["'”’)\]]*$/u.test(this.#text)
    return before ?? (isLong || this.#text.length > 2 * USUAL_LENGTH ? this.end() : undefined)
  }

  /** The passage so far. */
  end(): DocumentPart | undefined {
    const pageContent = this.#text
    this.#text = ''
    this.#speaker = undefined
    if (pageContent === '') return undefined
    const metadata = { start: clockTime(this.#start), end: clockTime(this.#end) }
    return { pageContent, metadata, last: true }
  }

  #add(text: string, speaker: string | undefined): void {
    const isNew = speaker !== undefined && speaker !== this.#speaker
    this.#speaker = speaker ?? this.#speaker
    const separator = this.#text === '' ? '' : isNew || /^[-–—] /.test(text) ? '\n' : ' '
    this.#text += `${separator}${isNew ? `${speaker}: ` : ''}${text}`
  }
}
