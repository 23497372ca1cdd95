/** A line of subtitles: times in seconds, and what is said. */
export type Cue = { start: number; end: number; speaker: string | undefined; lines: string[] }

/**
 * Finds the cues of SubRip and WebVTT (W3C WebVTT 4) in lines that are pushed one by one. What is not a cue, as
 * comments, style sheets and numbers, is left out.
 */
export class CueFinder {
  #cue: Cue | undefined
  #isOther = false

  /** The cue that ends before this line, if one does. */
  push(line: string): Cue | undefined {
    const times = TIMES.exec(line)
    if (times) {
      const ended = this.end()
      this.#isOther = false
      const [start, end] = [secondsOf(times[1]!), secondsOf(times[2]!)]
      this.#cue = { start, end, speaker: undefined, lines: [] }
      return ended
    }
    if (line.trim() === '') {
      this.#isOther = false
      return this.end()
    }
    if (!this.#cue || this.#isOther) return undefined
    const { text, speaker } = plainText(line)
    this.#cue.speaker ??= speaker
    if (text !== '') this.#cue.lines.push(text)
    return undefined
  }

  /** The last cue. */
  end(): Cue | undefined {
    const cue = this.#cue
    this.#cue = undefined
    if (!cue) return undefined
    // a number without an empty line before it belongs to the next cue
    return cue.lines.length > 0 ? cue : undefined
  }
}

const TIME = String.raw`((?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3})`
const TIMES = new RegExp(`^\\s*${TIME}\\s*-->\\s*${TIME}`)

function secondsOf(time: string): number {
  return time
    .replace(',', '.')
    .split(':')
    .reduce((sum, part) => sum * 60 + Number(part), 0)
}

/** A line without its markup, and the speaker that it names. */
function plainText(line: string): { text: string; speaker: string | undefined } {
  const speaker = /<v(?:\.[^\s>]{0,100})?\s{1,9}([^>]{1,200})>/.exec(line)?.[1]?.trim()
  const text = line
    .replace(/<\/?(?:[a-z]{1,9}(?:[.\s][^>]{0,300})?|\d{1,9}:[\d:.]{1,20})>/gi, '')
    .replace(/\{\\[^}]{0,300}\}/g, '')
    .replace(/&(amp|lt|gt|nbsp|lrm|rlm);/g, (_, name: string) => ENTITIES[name]!)
    .trim()
  return { text, speaker }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', nbsp: ' ', lrm: '', rlm: '' }

/** Seconds as `01:02:03.450`, so that times sort as texts too. */
export function clockTime(seconds: number): string {
  const thousandths = Math.round(seconds * 1000)
  const two = (number: number) => String(number).padStart(2, '0')
  const [hours, minutes] = [Math.floor(thousandths / 3_600_000), Math.floor(thousandths / 60_000) % 60]
  const rest = String(thousandths % 1000).padStart(3, '0')
  return `${two(hours)}:${two(minutes)}:${two(Math.floor(thousandths / 1000) % 60)}.${rest}`
}
