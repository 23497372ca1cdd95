import { termFingerprint } from './term-fingerprint.ts'
import { isLatin, stemmerOf } from './stem.ts'

/** Longer words are cut to this many letters: most endings of German and the Romance languages come after them. */
export const LATIN_LENGTH = 8

/** The term of a word; changes the letters of `word`. */
export function wordTerm(word: Uint32Array, length: number): number {
  const stemmed = stemmerOf(word[0]!)(word, length)
  return termFingerprint(word, 0, isLatin(word[0]!) ? Math.min(stemmed, LATIN_LENGTH) : stemmed)
}
