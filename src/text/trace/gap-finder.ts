import type { TextRange } from '../../contract/document.ts'
import type { RepeatedText, TextGap, TextGaps } from '../../contract/source-trace.ts'
import { copyString } from '../copy-string.ts'
import { countCharacters } from '../count-characters.ts'
import { isWhiteSpace } from '../white-space.ts'

/** How much of a text is remembered that is in no chunk: places, code units of one, code units of all. */
export const MOST_GAPS = { count: 1000, each: 2000, all: 200_000 }

/** How much one run remembers of all its texts: they are held until its publication. */
export const runGapRoom = (): GapRoom => ({ count: 20_000, units: 4_000_000 })

/** How many places, and how many code units of them, may still be remembered. */
export type GapRoom = { count: number; units: number }

/**
 * Finds the words of a text that no piece of it has, while the text arrives and is cut: holds no more of it than what lies behind the
 * beginning of the last piece.
 */
export class GapFinder {
  /** The text from `#at` on: what is before it is settled. */
  #held = ''
  #at = 0
  /** What pieces have of the text that is held. */
  #covered: TextRange[] = []
  #characters = 0
  #isUnplaced = false
  #units = 0
  readonly #gaps: TextGap[] = []
  readonly #repeats: RepeatedText[] = []
  #moreRepeated = 0
  readonly #more = { gaps: 0, characters: 0 }

  /** The next part of the text. */
  extend(text: string): void {
    this.#characters += countCharacters(text)
    if (!this.#isUnplaced) this.#held += text
  }

  /** The next piece: pieces come in the order in which they begin, each after the text that it has. */
  cover(text: string, range: TextRange | undefined): void {
    if (!range) {
      this.#isUnplaced = true
      this.#held = ''
    }
    if (this.#isUnplaced) return
    this.#settle(range!.start)
    this.#covered.push(...this.#partsOf(text, range!))
  }

  /** The chunk of this place is not stored, since a person has deleted it. */
  delete(text: string, range: TextRange | undefined): void {
    if (range) this.#note(deletedGap(text, range))
  }

  /** The chunk of this place is not stored again, since its source has an equal one. */
  repeat(text: string, range: TextRange | undefined): void {
    if (!range) return
    const characters = countCharacters(text)
    if (this.#repeats.length < MOST_GAPS.count) this.#repeats.push({ ...range, characters })
    else this.#moreRepeated += characters
  }

  /**
   * What was found, once the text is complete.
   *
   * @param room of the run; what is remembered is taken from it, what it has no room for is counted
   */
  end(room: GapRoom = runGapRoom()): TextGaps {
    this.#settle(Number.POSITIVE_INFINITY)
    const gaps = this.#within(room)
    const repeats = this.#repeatsWithin(room)
    return {
      ...{ characters: this.#characters, gaps, repeats },
      ...(this.#moreRepeated > 0 ? { moreRepeated: this.#moreRepeated } : {}),
      ...(this.#more.gaps > 0 ? { more: { ...this.#more } } : {}),
      ...(this.#isUnplaced ? { unplaced: true as const } : {}),
    }
  }

  #within(room: GapRoom): TextGap[] {
    const gaps = inOrder(this.#gaps)
    if (this.#isUnplaced) return []
    return gaps.filter(({ text, characters }) => {
      const fits = room.count > 0 && room.units >= text.length
      if (fits) {
        room.count--
        room.units -= text.length
      } else {
        this.#more.gaps++
        this.#more.characters += characters
      }
      return fits
    })
  }

  #repeatsWithin(room: GapRoom): RepeatedText[] {
    const listed = this.#repeats.splice(0, room.count)
    room.count -= listed.length
    for (const { characters } of this.#repeats) this.#moreRepeated += characters
    this.#repeats.length = 0
    this.#repeats.push(...listed)
    return listed
  }

  /** No further piece begins before a position: what is there and in none is a gap. */
  #settle(position: number): void {
    const end = Math.min(position, this.#at + this.#held.length)
    if (end <= this.#at) return
    let at = this.#at
    for (const { start, end: last } of this.#covered.toSorted((one, other) => one.start - other.start)) {
      if (start > at) this.#noteCut(at, Math.min(start, end))
      at = Math.max(at, last)
      if (at >= end) break
    }
    if (at < end) this.#noteCut(at, end)
    this.#held = this.#held.slice(end - this.#at)
    this.#at = end
    this.#covered = this.#covered.filter((range) => range.end > end)
  }

  #noteCut(from: number, to: number): void {
    let [start, end] = [from, to]
    while (start < end && isWhiteSpace(this.#held.charCodeAt(start - this.#at))) start++
    while (end > start && isWhiteSpace(this.#held.charCodeAt(end - 1 - this.#at))) end--
    if (start < end)
      this.#note(gapOf(this.#held.slice(start - this.#at, end - this.#at), { start, end }, 'cut'))
  }

  #note(gap: TextGap): void {
    if (this.#gaps.length < MOST_GAPS.count && this.#units + gap.text.length <= MOST_GAPS.all) {
      this.#units += gap.text.length
      this.#gaps.push(gap)
    } else {
      this.#more.gaps++
      this.#more.characters += gap.characters
    }
  }

  /**
   * What a piece has of its range: all, unless it was made from it by leaving out separators. Where it was made in another way, its range
   * counts as a whole.
   */
  #partsOf(text: string, range: TextRange): TextRange[] {
    const from = range.start - this.#at
    if (text.length >= range.end - range.start || from < 0) return [range]
    const parts: TextRange[] = []
    let next = skipSpace(text, 0)
    for (let at = from; at < range.end - this.#at; at++) {
      const unit = this.#held.charCodeAt(at)
      const isSpace = isWhiteSpace(unit)
      if (!isSpace && unit !== text.charCodeAt(next)) continue
      const place = this.#at + at
      const last = parts.at(-1)
      if (last?.end === place) last.end++
      else parts.push({ start: place, end: place + 1 })
      if (!isSpace) next = skipSpace(text, next + 1)
    }
    return next < text.length ? [range] : parts
  }
}

/** What is known of a text with one more gap; it is counted where there is no room to list it. */
export function withGap(known: TextGaps, gap: TextGap): TextGaps {
  const units = known.gaps.reduce((sum, { text }) => sum + text.length, gap.text.length)
  if (known.gaps.length < MOST_GAPS.count && units <= MOST_GAPS.all)
    return { ...known, gaps: inOrder([...known.gaps, gap]) }
  const { gaps, characters } = known.more ?? { gaps: 0, characters: 0 }
  return { ...known, more: { gaps: gaps + 1, characters: characters + gap.characters } }
}

const inOrder = (gaps: readonly TextGap[]): TextGap[] =>
  gaps.toSorted((one, other) => one.start - other.start || one.end - other.end)

/** A gap where a person has deleted a chunk. @param text of the chunk */
export const deletedGap = (text: string, range: TextRange): TextGap => gapOf(text, range, 'deleted')

const gapOf = (text: string, { start, end }: TextRange, reason: TextGap['reason']): TextGap => ({
  ...{ start, end, reason },
  characters: countCharacters(text),
  // A slice would keep all the text that was held.
  text: copyString(text.slice(0, MOST_GAPS.each)),
})

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && isWhiteSpace(text.charCodeAt(at))) at++
  return at
}
