import { isWhiteSpace } from '../white-space.ts'
import { INNERMOST, type LineReader, type Lines, LOOK, headingTitle } from './line-reader.ts'
import { RANK } from './ranked-breaks.ts'
import { endsSentence, isLowerCase } from './sentence-break.ts'

const HASH = 0x23
const PIPE = 0x7c
const BACKTICK = 0x60
const TILDE = 0x7e
const BACKSLASH_PIPE = /(?<!\\)\|/

/** The characters of a line below a title, in markdown and reStructuredText. */
const UNDERLINE = /^([=\-~^"'*+#:`.])\1{2,}\s*$/
/** A longer line is no title. */
const TITLE = 100
/** A longer line with `#` in front is a paragraph. */
export const LONGEST_HEADING = 200
/** A comment in fenced code: what it is about comes after it. */
const COMMENT = /^(?:#|\/\/|--|\/\*)/
const ITEM = /^(?:[-*+•‣◦–]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)])\s/
/** A line may be wrapped at a margin if it has at least this many units, and this share of the longest. */
const WRAPPED = { least: 40, share: 0.6, most: 200 }

/**
 * The lines of prose: headings and fenced code of markdown (CommonMark 0.31, 4.2, 4.3, 4.5), titles of reStructuredText, tables
 * with `|`, items, paragraphs.
 */
export class ProseLines implements LineReader {
  readonly hasSentences = true
  readonly #to: Lines
  #isBlank = true
  #afterHeading = false
  /** Whether the line before, alone in its paragraph, looks like a title; and the one before that. */
  #afterTitle = false
  #fence: string | undefined
  #afterComment = false
  #isItem = false
  /** How many lines the table has so far; 0 outside of tables. */
  #rows = 0
  #end = 0
  #length = 0
  #widest = 0
  /** The line below a title. */
  #underline = -1
  /** The characters of such lines, outer ones first. */
  readonly #underlines: string[] = []
  /** A line of such characters that may be above a title. */
  #overline = -1

  constructor(to: Lines) {
    this.#to = to
  }

  read(start: number, end: number): void {
    const { text, breaks } = this.#to
    const first = text.skipSpace(start, end)
    if (first === end) {
      this.#isBlank = true
      if (this.#fence === undefined) this.#endTable(start)
      return
    }
    const last = text.skipSpaceBack(first, end)
    const unit = text.unit(first)
    if (this.#fence !== undefined || unit === BACKTICK || unit === TILDE) {
      if (this.#readFence(start, first, last)) return
    } else if (unit === PIPE) {
      this.#readRow(start, first, last)
      return
    }
    this.#endTable(start)
    if (start === this.#underline) breaks.add(start, RANK.NEVER)
    else if (unit === HASH && this.#readHeading(start, first, last)) return
    else if (last - first <= TITLE && this.#readTitle(start, first, last, end)) return
    else this.#readText(start, first, last)
    this.#after(last, last - start)
  }

  #after(end: number, length: number): void {
    this.#isBlank = false
    this.#end = end
    this.#length = length
    if (length > this.#widest && length <= WRAPPED.most) this.#widest = length
  }

  /** The rank of a place before a line that is no heading. */
  #rank(first: number): number {
    if (this.#afterHeading) return RANK.NEVER
    if (this.#isBlank) return this.#afterTitle ? RANK.LOOSE : RANK.PARAGRAPH
    const { text } = this.#to
    if (endsSentence(text, this.#end)) return isLowerCase(text.unit(first)) ? RANK.WRAPPED : RANK.LINE
    if (this.#isItem) return RANK.LINE
    if (isLowerCase(text.unit(first))) return RANK.WRAPPED
    const wrapped = this.#length >= WRAPPED.least && this.#length >= WRAPPED.share * this.#widest
    return wrapped && this.#length <= WRAPPED.most ? RANK.WRAPPED : RANK.LINE
  }

  #readText(start: number, first: number, last: number): void {
    const { text, breaks } = this.#to
    this.#isItem = this.#mayBeItem(first) && ITEM.test(text.slice(first, first + 8))
    breaks.add(start, this.#rank(first))
    const isAlone = last - first <= TITLE && this.#isBlank && !this.#isItem && this.#isFollowedByBlank(last)
    this.#afterTitle = isAlone && !this.#afterTitle && !endsLikeText(text.unit(last - 1))
    this.#afterHeading = false
  }

  /** Most lines begin with a letter; one of an item is seldom followed by another. */
  #mayBeItem(first: number): boolean {
    const { text } = this.#to
    const begins = ITEM_BEGINS[text.unit(first)]
    return begins === 1 || (begins === 2 && AFTER_LETTER[text.unit(first + 1)] === 1)
  }

  #isFollowedByBlank(last: number): boolean {
    const { text } = this.#to
    const most = Math.min(text.end, last + 8)
    let breaks = 0
    for (let at = last; at < most && isWhiteSpace(text.unit(at)); at++) if (text.unit(at) === 0x0a) breaks++
    return breaks > 1
  }

  #readHeading(start: number, first: number, last: number): boolean {
    const { text } = this.#to
    if (first - start > 3) return false
    let after = first
    while (after < last && text.unit(after) === HASH) after++
    const level = after - first
    if (level > 6 || after === last || !isWhiteSpace(text.unit(after))) return false
    if (last - first > LONGEST_HEADING) return false
    const title = headingTitle(text.slice(after, last).replace(/\s+#+$/, ''))
    this.#addHeading(start, level, title)
    this.#after(last, last - start)
    return true
  }

  #addHeading(start: number, level: number, title: string): void {
    const { breaks, outline } = this.#to
    breaks.add(start, this.#afterHeading ? RANK.NEVER : RANK.SECTION)
    outline.change({ at: start, level, title, joined: this.#afterHeading })
    this.#afterHeading = true
    this.#afterTitle = false
  }

  /** A line with a line of `=`, `-` or the like below it. */
  #readTitle(start: number, first: number, last: number, end: number): boolean {
    const { text, breaks } = this.#to
    const isRule = isUnderline(text.unit(first)) && UNDERLINE.test(text.slice(first, last))
    const over = this.#overline
    this.#overline = isRule && this.#isBlank ? start : -1
    if (isRule || end + 4 > text.end || !(this.#isBlank || over >= 0)) return false
    if (!isUnderline(text.unit(end + 1))) return false
    const below = text.find('\n', end + 1)
    const line = text.slice(end + 1, Math.min(below, end + 1 + LOOK, text.end))
    const mark = UNDERLINE.exec(line)?.[1]
    if (mark === undefined || line.trimEnd().length < 0.8 * (last - first)) return false
    let level = this.#underlines.indexOf(mark)
    if (level < 0) level = this.#underlines.push(mark) - 1
    if (over >= 0) breaks.add(start, RANK.NEVER)
    const title = headingTitle(text.slice(first, last))
    if (over >= 0) {
      breaks.raise(over, RANK.SECTION)
      this.#to.outline.change({ at: over, level: level + 1, title, joined: this.#afterHeading })
      this.#afterHeading = true
    } else this.#addHeading(start, level + 1, title)
    this.#underline = end + 1
    this.#after(last, last - start)
    return true
  }

  /** Whether the line belongs to fenced code. */
  #readFence(start: number, first: number, last: number): boolean {
    const { text, breaks } = this.#to
    const unit = text.unit(first)
    const isMark = unit === BACKTICK || unit === TILDE
    const line = isMark ? text.slice(first, Math.min(last, first + 8)) : ''
    const marks = /^(?:`{3,}|~{3,})/.exec(line)?.[0]
    if (this.#fence === undefined) {
      if (marks === undefined) return false
      this.#endTable(start)
      this.#isItem = false
      breaks.add(start, this.#rank(first))
      this.#fence = marks
      this.#afterComment = false
    } else {
      const ends = marks?.startsWith(this.#fence) && last - first < 8
      const isComment = COMMENT.test(text.slice(first, Math.min(last, first + 2)))
      const isJoined = this.#afterHeading || ends || (this.#afterComment && !isComment)
      breaks.add(start, isJoined ? RANK.NEVER : this.#isBlank ? RANK.LINE : RANK.LOOSE)
      this.#afterComment = isComment
      if (ends) this.#fence = undefined
    }
    this.#afterHeading = false
    this.#afterTitle = false
    this.#after(last, last - start)
    return true
  }

  #readRow(start: number, first: number, last: number): void {
    const { text, breaks, outline } = this.#to
    if (this.#rows === 0) {
      this.#isItem = false
      breaks.add(start, this.#rank(first))
      const cells = text.slice(first, last).split(BACKSLASH_PIPE)
      const names = cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
      outline.change({
        at: start,
        level: INNERMOST,
        title: headingTitle(names.join(' | ')),
        joined: this.#afterHeading,
      })
    } else breaks.add(start, this.#rows === 1 ? RANK.NEVER : this.#rows === 2 ? RANK.LOOSE : RANK.LINE)
    this.#rows++
    this.#afterHeading = false
    this.#afterTitle = false
    this.#after(last, last - start)
  }

  #endTable(start: number): void {
    if (this.#rows === 0) return
    this.#to.outline.change({ at: start, level: INNERMOST, joined: false })
    this.#rows = 0
  }
}

const UNDERLINES = unitsOf('=-~^"\'*+#:`.')
const isUnderline = (unit: number): boolean => UNDERLINES[unit] === 1

/** Whether a line that ends with a unit is rather a text than a title. */
const TEXT_ENDS = unitsOf('.,;!?。！？।|')
const endsLikeText = (unit: number): boolean => TEXT_ENDS[unit] === 1

/** The units that may begin an item; 2 for letters, which one of the others must follow. */
const ITEM_BEGINS = unitsOf('-*+•‣◦–(0123456789', 'abcdefghijklmnopqrstuvwxyz')
const AFTER_LETTER = unitsOf('.)ivx')

function unitsOf(characters: string, others = ''): Uint8Array {
  const units = new Uint8Array(0x10000)
  for (const character of characters) units[character.charCodeAt(0)] = 1
  for (const character of others) units[character.charCodeAt(0)] = 2
  return units
}
