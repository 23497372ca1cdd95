import { termFingerprint } from './term-fingerprint.ts'
import { isLatin, stemmerOf } from './stem.ts'

/** Longer words go by their beginning: most endings of German and the Romance languages lie behind it. */
export const LATIN_LENGTH = 8

/** The term of a word, whose letters change on the way. */
export function wordTerm(word: Uint32Array, length: number): number {
  const stemmed = stemmerOf(word[0]!)(word, length)
  return termFingerprint(word, 0, isLatin(word[0]!) ? Math.min(stemmed, LATIN_LENGTH) : stemmed)
}
