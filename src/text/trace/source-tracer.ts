import type { TextRange } from '../../contract/document.ts'
import type { RepeatedText, SourceTrace, TextGap, TextGaps, TracedGap } from '../../contract/source-trace.ts'
import { countCharacters } from '../count-characters.ts'
import { isWhiteSpace } from '../white-space.ts'
import { MOST_GAPS } from './gap-finder.ts'
import { LineBands, type LineKind } from './line-bands.ts'

/** The text of a chunk, where it is in the extracted text, and from which line to which, where that is known. */
export type PlacedText = TextRange & { text: string; lines?: { from: number; to: number } | undefined }

/** Between chunks there is white space, whose length is at most this where nothing was removed. */
const LONGEST_SPACE = 40

/** The least share of characters in places from which chunks were removed. */
const SPARSEST_HOLES = 0.2

/** A gap of one unit is a space; a longer one is mostly a line break. */
export const blankOf = (units: number): string => (units === 1 ? ' ' : `\n${' '.repeat(units - 2)}\n`)

type Known = (TextGap | RepeatedText) & { reason?: TextGap['reason'] }

/**
 * Follows the words of a text through its chunks, which come in the order in which they begin. Holds no more of the text than the
 * chunks that overlap, besides a bounded number of bands and gaps.
 */
export class SourceTracer {
  readonly #known: TextGaps | undefined
  /** What is known of places without a chunk, by position. */
  readonly #places: Known[]
  #nextPlace = 0
  readonly #total: number
  #active: PlacedText[] = []
  #at = 0
  #chunks = 0
  /** The line in which the chunks so far end, and how many line breaks there are from there to the next chunk. */
  #lastLine: number | undefined
  #breaks = 0
  readonly #characters = { one: 0, several: 0, none: 0 }
  readonly #bands = new LineBands()
  #line: { start: number; kinds: Set<LineKind> } = { start: 0, kinds: new Set() }
  readonly #gaps: TracedGap[] = []
  /** Places that are too long for white space, and how long all of them are. */
  readonly #holes: TracedGap[] = []
  #moreHoles = 0
  #holeUnits = 0

  /** @param known what the load has found; undefined where that is not known. @param total units of the text */
  constructor(known: TextGaps | undefined, total: number) {
    this.#known = known
    this.#total = total
    const { gaps = [], repeats = [] } = known ?? {}
    this.#places = [...gaps, ...repeats].sort((one, other) => one.start - other.start || one.end - other.end)
  }

  add(chunk: PlacedText): void {
    const { lines } = chunk
    this.#breaks = lines && this.#lastLine !== undefined ? lines.from - this.#lastLine : 0
    this.#settle(chunk.start)
    this.#breaks = 0
    this.#lastLine = lines?.to
    this.#chunks++
    this.#active.push({ ...chunk, text: this.#fitted(chunk) })
  }

  end(): Pick<SourceTrace, 'total' | 'characters' | 'lines' | 'bands' | 'gaps' | 'more'> {
    const last = this.#active.reduce((end, chunk) => Math.max(end, chunk.end), 0)
    const total = Math.max(this.#total, last, this.#at, this.#places.at(-1)?.end ?? 0)
    this.#settle(total)
    this.#endLine(total)
    const { one, several, none } = this.#characters
    const listed = this.#known?.more ?? { gaps: 0, characters: 0 }
    const told = none + listed.characters
    const { characters: all = 0, moreRepeated = 0 } = this.#known ?? {}
    const removed = this.#removedOf(all - one - several - told - moreRepeated)
    const holes = removed > 0 ? this.#withCharacters(removed) : []
    return {
      total,
      characters: {
        // A chunk that is not a part of the text as it stands is counted by the text.
        one: this.#known ? Math.max(0, all - several - told - removed) : one,
        ...{ several, none: told + removed },
      },
      ...this.#bands.end(removed > 0),
      gaps: [...this.#gaps, ...holes].sort((first, second) => first.start - second.start),
      more: {
        gaps: listed.gaps + (removed > 0 ? this.#moreHoles : 0),
        characters: listed.characters + removed - holes.reduce((sum, { characters }) => sum + characters, 0),
      },
    }
  }

  /** How many of the characters that are nowhere were removed with chunks: a hole of a chunk has mostly characters. */
  #removedOf(missing: number): number {
    const removed = Math.min(missing, this.#holeUnits)
    return removed > 0 && removed > this.#holeUnits * SPARSEST_HOLES ? removed : 0
  }

  /** Divides what was removed among the places where it may have been, by their lengths. */
  #withCharacters(removed: number): TracedGap[] {
    return this.#holes.map((hole) => ({
      ...hole,
      characters: Math.floor(removed * ((hole.end - hole.start) / this.#holeUnits)),
    }))
  }

  /** No further chunk begins before a position. */
  #settle(position: number): void {
    while (this.#at < position) {
      this.#active = this.#active.filter(({ end }) => end > this.#at)
      const [first] = this.#active
      if (!first) {
        this.#leave(this.#at, position)
        this.#at = position
        continue
      }
      const end = this.#active.reduce((least, chunk) => Math.min(least, chunk.end), position)
      this.#cover(first, end, this.#active.length > 1 ? 'several' : 'one')
      this.#at = end
    }
  }

  /** The text from here to `end` is in chunks, but for words that the splitter has left out of them. */
  #cover(chunk: PlacedText, end: number, kind: 'one' | 'several'): void {
    for (const place of this.#placesUntil(end)) {
      const [start, stop] = [Math.max(this.#at, place.start), Math.min(end, place.end)]
      if (place.reason !== 'cut' || start >= stop) continue
      this.#emitPart(chunk, this.#at, start, kind)
      this.#gap(place as TextGap, { start, end: stop })
      this.#at = stop
    }
    this.#emitPart(chunk, this.#at, end, kind)
  }

  #emitPart(chunk: PlacedText, from: number, to: number, kind: 'one' | 'several'): void {
    if (from >= to) return
    const text = chunk.text.slice(from - chunk.start, to - chunk.start)
    this.#characters[kind] += countCharacters(text)
    this.#emit(from, text, kind)
  }

  /** No chunk has the text of a range. */
  #leave(from: number, to: number): void {
    let at = from
    for (const place of this.#placesUntil(to)) {
      const [start, end] = [Math.max(at, place.start), Math.min(to, place.end)]
      if (start >= end) continue
      this.#space(at, start)
      if (place.reason === undefined) this.#repeated(place, { start, end })
      else this.#gap(place as TextGap, { start, end })
      at = end
    }
    this.#space(at, to)
  }

  /** Places that begin before a position. One that ends behind it comes again. */
  *#placesUntil(end: number): Generator<Known> {
    for (let at = this.#nextPlace; at < this.#places.length && this.#places[at]!.start < end; at++) {
      const place = this.#places[at]!
      if (at === this.#nextPlace && place.end <= end) this.#nextPlace++
      if (place.end > this.#at) yield place
    }
  }

  #gap(place: TextGap, { start, end }: TextRange): void {
    const isPart = start > place.start || end < place.end
    const isWhole = place.text.length === place.end - place.start
    const text = isWhole
      ? place.text.slice(start - place.start, end - place.start)
      : start > place.start
        ? ''
        : place.text.slice(0, end - start)
    const characters = !isPart
      ? place.characters
      : isWhole
        ? countCharacters(text)
        : Math.min(place.characters, end - start)
    this.#emit(start, text === '' ? '?' : text, 'none')
    if (characters === 0) return
    this.#characters.none += characters
    this.#gaps.push({ start, end, reason: place.reason, characters, text, after: this.#chunks })
  }

  #repeated({ characters, ...place }: RepeatedText, { start, end }: TextRange): void {
    const isPart = start > place.start || end < place.end
    this.#characters.one += isPart ? Math.min(characters, end - start) : characters
    this.#emit(start, '?', 'one')
  }

  #space(from: number, to: number): void {
    if (from >= to) return
    const units = to - from
    if (units <= LONGEST_SPACE || !this.#known) {
      this.#emit(from, units === 1 && this.#breaks > 0 ? '\n' : blankOf(units), 'blank')
      return
    }
    this.#emit(from, '\n', 'blank')
    this.#emit(from + 1, '?', 'removed')
    this.#emit(to - 1, '\n', 'blank')
    this.#holeUnits += units
    if (this.#holes.length < MOST_GAPS.count)
      this.#holes.push({
        ...{ start: from, end: to, reason: 'removed', characters: 0, text: '' },
        after: this.#chunks,
      })
    else this.#moreHoles++
  }

  /** Notes a part of the text for the lines that it is in. */
  #emit(position: number, text: string, kind: LineKind): void {
    let from = 0
    while (true) {
      const lineBreak = text.indexOf('\n', from)
      const to = lineBreak < 0 ? text.length : lineBreak
      if (!this.#line.kinds.has(kind) && hasCharacter(text, from, to)) this.#line.kinds.add(kind)
      if (lineBreak < 0) return
      if (kind !== 'one' && kind !== 'several') this.#breaks--
      this.#endLine(position + lineBreak + 1)
      from = lineBreak + 1
    }
  }

  #endLine(next: number): void {
    const { start, kinds } = this.#line
    this.#bands.add(start, BY_WEIGHT.find((kind) => kinds.has(kind)) ?? 'blank')
    this.#line = { start: next, kinds: new Set() }
  }

  /** The text of a chunk, made as long as its range: separators that are not in it are blank. */
  #fitted({ start, end, text }: PlacedText): string {
    if (text.length === end - start) return text
    const left: string[] = []
    let at = start
    let used = 0
    for (let number = this.#nextPlace; number < this.#places.length; number++) {
      const place = this.#places[number]!
      if (place.start >= end) break
      if (place.reason !== 'cut' || place.start < at || place.end > end) continue
      left.push(text.slice(used, used + place.start - at), ' '.repeat(place.end - place.start))
      used += place.start - at
      at = place.end
    }
    left.push(text.slice(used))
    const fitted = left.join('')
    return fitted.length > end - start ? fitted.slice(0, end - start) : fitted.padEnd(end - start)
  }
}

/** What a line is shown as, where it has several of them. */
const BY_WEIGHT: readonly LineKind[] = ['none', 'removed', 'several', 'one']

function hasCharacter(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (!isWhiteSpace(text.charCodeAt(at))) return true
  return false
}
