import { hasTones } from './tones.ts'

/** Kinds of characters, for the term reader. */
export const CHARACTER_KIND = {
  /** Ends every word. */
  gap: 1,
  /** A lower-case letter, a letter without case, or a vowel sign. */
  small: 2,
  capital: 3,
  digit: 4,
  /**
   * Of a script without spaces between words: Chinese, Japanese; also Korean, where particles are attached to words.
   */
  pair: 5,
  /** Of such a script with an alphabet, where a pair of letters says little: Thai, Lao, Khmer, Burmese. */
  triple: 6,
  /** Joins the parts of a name: `snake_case`, `covid-19`. */
  hyphen: 7,
  /** Joins names: `v1.2.3`, `someone@example.com`. */
  link: 8,
  /** Ignored: accents, vowel points, soft hyphens. */
  silent: 9,
} as const

/** Latin, Greek and Cyrillic accents; Hebrew points; Arabic tatweel and vowel signs; the Devanagari nukta; selectors. */
const SILENT =
  /\p{Cf}|[\u0300-\u036f]|[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]|[\u0640\u064b-\u065f\u0670]|\u093c|[\ufe00-\ufe0f]/gu
const PAIR =
  /[\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\u{20000}-\u{3ffff}]/u
const TRIPLE = /[\u0e01-\u0e4f\u0e80-\u0ecf\u1000-\u109f\u1780-\u17d7]/
const HYPHEN = /[-_\u2010\u2011]/
const LINK = /[.@/:]/

/** Letters that Unicode does not decompose. */
const SPELLED: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ı: 'i',
  þ: 'th',
}

const KIND_SHIFT = 24
const TONAL = 0x200000
const CODE_MASK = 0x1fffff

const known = new Int32Array(0x10000)
const knownBeyond = new Map<number, number>()
const spellings = new Map<number, readonly number[]>()

/** The kind of a character (`entryKind`) and the code point that terms use for it (`entryCode`), in one number. */
export function characterEntry(codePoint: number): number {
  return (codePoint < 0x10000 ? known[codePoint] : knownBeyond.get(codePoint)) || look(codePoint)
}

export const entryKind = (entry: number): number => entry >> KIND_SHIFT

/** Whether characters of this kind form words and names. */
export const isWordKind = (kind: number): boolean =>
  kind >= CHARACTER_KIND.small && kind <= CHARACTER_KIND.digit

/** Whether only languages with tones have this letter, or hardly any other. */
export const isTonal = (entry: number): boolean => (entry & TONAL) !== 0

/** The code point that terms use; 0 if there are several, which {@link spellingOf} has. */
export const entryCode = (entry: number): number => entry & CODE_MASK

/** The code points of a character that terms spell with several, such as ß. */
export const spellingOf = (codePoint: number): readonly number[] => spellings.get(codePoint)!

function look(codePoint: number): number {
  const written = String.fromCodePoint(codePoint)
  const plain = written.normalize('NFKD').replace(SILENT, '').normalize('NFC')
  const kind = kindOf(written, plain)
  const lower = plain.toLowerCase().replace(SILENT, '')
  const codes = Array.from(SPELLED[lower] ?? lower, (character) => character.codePointAt(0)!)
  if (codes.length > 1) spellings.set(codePoint, codes)
  const entry =
    (kind << KIND_SHIFT) | (hasTones(written) ? TONAL : 0) | (codes.length === 1 ? digitOf(codes[0]!) : 0)
  if (codePoint < 0x10000) known[codePoint] = entry
  else knownBeyond.set(codePoint, entry)
  return entry
}

function kindOf(written: string, plain: string): number {
  if (plain === '') return written.trim() === '' ? CHARACTER_KIND.gap : CHARACTER_KIND.silent
  const first = String.fromCodePoint(plain.codePointAt(0)!)
  if (HYPHEN.test(first)) return CHARACTER_KIND.hyphen
  if (LINK.test(first)) return CHARACTER_KIND.link
  if (PAIR.test(first)) return CHARACTER_KIND.pair
  if (/\p{N}/u.test(first)) return CHARACTER_KIND.digit
  if (TRIPLE.test(first)) return CHARACTER_KIND.triple
  if (/[\p{Lu}\p{Lt}]/u.test(first)) return CHARACTER_KIND.capital
  return /[\p{L}\p{M}]/u.test(first) ? CHARACTER_KIND.small : CHARACTER_KIND.gap
}

/** Maps decimal digits of all scripts to ASCII: in Unicode the ten digits of a script are consecutive, from zero. */
function digitOf(code: number): number {
  if (code < 0x80 || !/\p{Nd}/u.test(String.fromCodePoint(code))) return code
  let zero = code
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return 0x30 + (code - zero)
}
