import { affixes, endsWith, type Stemmer, withoutSuffix } from './suffix.ts'

const [D, E, G, I, S, U, Y] = [0x64, 0x65, 0x67, 0x69, 0x73, 0x75, 0x79]
const VOWELS = affixes('a e i o u y').flat()
const [IES, LY] = affixes('ies ly') as [number[], number[]]
const AFTER_SIBILANT = affixes('ses xes zes ches shes')
const VERBAL = affixes('ingly edly ing ed')
const DOUBLED = affixes('b d f g m n p r t').flat()

/**
 * One rule for all words in Latin letters, because the language of a short query is not known: removes the light
 * endings of English, then keeps the first eight letters. Measured in docs/decisions/2026-11-21-text-index.md.
 */
export const stemLatin: Stemmer = (word, length) => {
  if (length < 4) return length
  let end = withoutVerbal(word, singular(word, length))
  if (end > 4 && endsWith(word, end, LY)) end -= 2
  if (end > 3 && word[end - 1] === E) end--
  if (end > 3 && word[end - 1] === Y) word[end - 1] = I
  return end
}

function singular(word: Uint32Array, length: number): number {
  if (word[length - 1] !== S) return length
  if (endsWith(word, length, IES)) {
    word[length - 3] = Y
    return length - 2
  }
  if (AFTER_SIBILANT.some((suffix) => endsWith(word, length, suffix))) return length - 2
  const before = word[length - 2]
  return before === S || before === U ? length : length - 1
}

function withoutVerbal(word: Uint32Array, length: number): number {
  const last = word[length - 1]
  if (last !== G && last !== D && last !== Y) return length
  const bare = withoutSuffix(word, length, VERBAL, 3)
  if (bare === length || !hasVowel(word, bare)) return length
  return word[bare - 1] === word[bare - 2] && DOUBLED.includes(word[bare - 1]!) ? bare - 1 : bare
}

function hasVowel(word: Uint32Array, length: number): boolean {
  for (let at = 0; at < length; at++) if (VOWELS.includes(word[at]!)) return true
  return false
}
