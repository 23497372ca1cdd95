/** Stems the word in the first `length` elements, in place; returns the new length. */
export type Stemmer = (word: Uint32Array, length: number) => number

/** Prefixes or suffixes, separated by spaces, as code points. */
export const affixes = (list: string): number[][] =>
  list.split(' ').map((affix) => Array.from(affix, (letter) => letter.codePointAt(0)!))

export function endsWith(word: Uint32Array, length: number, suffix: readonly number[]): boolean {
  const start = length - suffix.length
  if (start < 0) return false
  for (let at = suffix.length - 1; at >= 0; at--) if (word[start + at] !== suffix[at]) return false
  return true
}

/** The length without the first suffix of the list that the word has and that leaves at least `least` letters. */
export function withoutSuffix(
  word: Uint32Array,
  length: number,
  list: readonly (readonly number[])[],
  least: number,
): number {
  for (const suffix of list)
    if (length - suffix.length >= least && endsWith(word, length, suffix)) return length - suffix.length
  return length
}
