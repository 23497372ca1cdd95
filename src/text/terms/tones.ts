import { termFingerprint } from './term-fingerprint.ts'

/**
 * Letters that only languages with tones have, or hardly any other: ơ, ư, and those of the block of Vietnamese, which
 * Yoruba and Igbo use too. A text with one of them is taken for such a language.
 */
const TONAL_LETTER = /[\u01a0\u01a1\u01af\u01b0\u1ea0-\u1ef9]/

/** A word in Latin letters. */
const LATIN_WORD = /[a-z\u00c0-\u024f\u1e00-\u1eff][a-z\u00c0-\u024f\u1e00-\u1eff\p{M}]*/gu

/** A letter with an accent; `đ` counts as one. */
const ACCENTED = /[\u00c0-\u024f\u1e00-\u1eff]/

/** In characters. Longer words have only the term without accents. */
const LONGEST = 32

const codes = new Uint32Array(LONGEST)

/** Whether a text in normal form C is in a language whose accents are tones, such as Vietnamese. */
export const hasTones = (text: string): boolean => TONAL_LETTER.test(text)

/**
 * Visits the accented words of such a text as terms with their accents and all their letters. In Vietnamese ma, má, mà, mả,
 * mã and mạ are six words. The terms without accents are found beside these, for questions that are typed without.
 */
export function eachTonedTerm(text: string, visit: (term: number) => void): void {
  for (const [word] of text.toLowerCase().matchAll(LATIN_WORD)) {
    if (word.length > LONGEST || !ACCENTED.test(word)) continue
    for (let at = 0; at < word.length; at++) codes[at] = word.charCodeAt(at)
    visit(termFingerprint(codes, 0, word.length))
  }
}
