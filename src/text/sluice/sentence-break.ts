import type { StreamedText } from '../streamed-text.ts'
import { isWhiteSpace } from '../white-space.ts'

/** What a mark at the end of a sentence needs after it: white space, or nothing in scripts without spaces. */
const SPACED = 1
const UNSPACED = 2

/** Marks that end sentences: Latin, Greek and Cyrillic, Arabic and Urdu, Hindi, Chinese and Japanese, Burmese, Khmer, Ethiopic. */
const ENDINGS = marks(SPACED, '.!?…؟۔', UNSPACED, '।॥。！？｡．။។።')
const CLOSERS = marks(1, `"')]}»”’›`, 1, '」』）】〉》＂＇')
/** A clause ends after these; the next best place where a sentence is longer than a chunk. */
const CLAUSES = marks(SPACED, ',;:–—،؛', UNSPACED, '、，；：')

/** Words before a full stop that seldom ends a sentence: English, German, French, Spanish, Italian, Dutch. */
const ABBREVIATIONS = new Set(
  `mr mrs ms dr prof st no nos nr nrs fig figs art arts abs ca vs approx bzw sr sra mme mlle cf al vol pp ed eds inc ltd co corp jr
  dept sec sect eq eqs ref refs ch vgl ggf evtl usw abb tab kap hr fr str bd jh chr bzgl inkl exkl max min num rev gen col lt sgt capt
  ave blvd rd mt jan feb mar apr jun jul aug sep sept oct nov dec pág núm av ej dña pag ecc sig dott bijv nl blz ie eg est incl resp`.split(
    /\s+/,
  ),
)
/** A longer word is no abbreviation. */
const LONGEST_ABBREVIATION = 6

const FULL_STOP = 0x2e

/**
 * The last place after `from`, up to `limit`, where a sentence begins; -1 if there is none. Places are in UTF-16 units. Marks
 * and white space before the place belong to the sentence that ends.
 */
export function lastSentenceStart(text: StreamedText, from: number, limit: number): number {
  for (let at = limit - 1; at >= from; at--) {
    if (markOf(ENDINGS, text.unit(at)) === 0) continue
    const place = startAfter(text, at, limit)
    if (place > from) return place
  }
  return -1
}

/** The first place after `from`, before `limit`, where a sentence begins; -1 if there is none. */
export function firstSentenceStart(text: StreamedText, from: number, limit: number): number {
  for (let at = from; at < limit; at++) {
    if (markOf(ENDINGS, text.unit(at)) === 0) continue
    const place = startAfter(text, at, limit)
    if (place > from && place < limit) return place
  }
  return -1
}

/** The last place where a clause or, with `words`, a word begins; -1 if there is none. */
export function lastWordStart(text: StreamedText, from: number, limit: number, words: boolean): number {
  for (let at = limit - 1; at >= from; at--) {
    const unit = text.unit(at)
    if (words && isWhiteSpace(unit)) return at + 1
    const needs = markOf(CLAUSES, unit)
    if (needs === UNSPACED && at + 1 <= limit) return at + 1
    if (needs === SPACED && at + 1 < limit && isWhiteSpace(text.unit(at + 1))) return at + 2
  }
  return -1
}

/** Whether a sentence may end with the mark before `end`, closers between them: `He said "no."` */
export function endsSentence(text: StreamedText, end: number): boolean {
  let at = end - 1
  while (at > text.start && at > end - 4 && markOf(CLOSERS, text.unit(at)) > 0) at--
  return (
    at >= text.start &&
    markOf(ENDINGS, text.unit(at)) > 0 &&
    !(text.unit(at) === FULL_STOP && isAbbreviation(text, at))
  )
}

/** Where the sentence after the mark at a place begins, at most at `limit`; -1 if the mark ends none. */
function startAfter(text: StreamedText, mark: number, limit: number): number {
  const needs = markOf(ENDINGS, text.unit(mark))
  let at = mark + 1
  while (at < limit && markOf(CLOSERS, text.unit(at)) > 0) at++
  const end = at
  while (at < limit && isWhiteSpace(text.unit(at))) at++
  if (at >= text.end) return -1
  if (needs === SPACED) {
    if (at === end && !isWhiteSpace(text.unit(at))) return -1
    if (text.unit(mark) === FULL_STOP && isAbbreviation(text, mark)) return -1
    // At the limit the next word may begin after more white space.
    if (!isWhiteSpace(text.unit(at)) && isLowerCase(text.unit(at))) return -1
  } else if (markOf(ENDINGS, text.unit(at)) > 0) return -1
  return at
}

/** Whether the full stop at a place belongs to an abbreviation, an initial or a number of one or two digits. */
function isAbbreviation(text: StreamedText, stop: number): boolean {
  let from = stop
  const least = Math.max(text.start, stop - LONGEST_ABBREVIATION - 1)
  while (from > least && isLetterOrDigit(text.unit(from - 1))) from--
  const length = stop - from
  if (length === 0 || length > LONGEST_ABBREVIATION) return false
  const word = text.slice(from, stop)
  if (/^\d+$/.test(word)) return length <= 2 && !isDecimal(text, from)
  if (length === 1 && word.charCodeAt(0) < 0x2e80) return true
  // The dot inside of e.g. and U.S.
  if (length <= 2 && from > text.start && text.unit(from - 1) === FULL_STOP) return true
  return ABBREVIATIONS.has(word.toLowerCase())
}

/** Whether the digits at a place are the fraction of a number, as in `2.5.`, or come after a thousands mark. */
const isDecimal = (text: StreamedText, from: number): boolean =>
  from - 1 > text.start && (text.unit(from - 1) === FULL_STOP || text.unit(from - 1) === 0x2c)

function isLetterOrDigit(unit: number): boolean {
  if (unit < 0x80) return (unit >= 0x30 && unit <= 0x39) || ((unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a)
  return unit >= 0xc0 && !isWhiteSpace(unit) && markOf(ENDINGS, unit) === 0 && markOf(CLOSERS, unit) === 0
}

export function isLowerCase(unit: number): boolean {
  if (unit < 0x80) return unit >= 0x61 && unit <= 0x7a
  if (unit > 0x58f) return false
  const letter = String.fromCharCode(unit)
  return letter === letter.toLowerCase() && letter !== letter.toUpperCase()
}

function marks(
  one: number,
  first: string,
  other: number,
  second: string,
): Map<number, number> & { ascii: Uint8Array } {
  const found = new Map<number, number>()
  for (const mark of first) found.set(mark.charCodeAt(0), one)
  for (const mark of second) found.set(mark.charCodeAt(0), other)
  const ascii = new Uint8Array(0x80)
  for (const [unit, kind] of found) if (unit < 0x80) ascii[unit] = kind
  return Object.assign(found, { ascii })
}

/** The kind of a mark; 0 for other units. Letters of most scripts pass without a look-up. */
function markOf(table: Map<number, number> & { ascii: Uint8Array }, unit: number): number {
  if (unit < 0x80) return table.ascii[unit]!
  if (
    unit < 0x2000 &&
    unit !== 0x60c &&
    unit !== 0x61b &&
    unit !== 0x61f &&
    unit !== 0x6d4 &&
    unit >> 8 !== 9 &&
    unit < 0x1000 &&
    unit !== 0xbb
  )
    return 0
  if (unit >= 0x3040 && unit < 0xff00) return 0
  return table.get(unit) ?? 0
}
