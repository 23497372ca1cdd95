import { affixes, type Stemmer, withoutSuffix } from './suffix.ts'

const VARIANTS = new Map(
  [...['آا', 'أا', 'إا', 'ٱا', 'ىي', 'ةه', 'ؤو', 'ئي', 'یي', 'کك']].map(
    (pair) => affixes(`${pair[0]} ${pair[1]}`).flat() as [number, number],
  ),
)
const ARTICLES = affixes('وال بال كال فال ال لل')
const [AND] = affixes('و') as [number[]]
const ENDINGS = affixes('ها ان ات ون ين يه ه ي')

/**
 * Unifies the variants of letters, and removes article, "and" and common endings. (After "light10": Larkey,
 * Ballesteros, Connell, 2007.)
 */
export const stemArabic: Stemmer = (word, length) => {
  for (let at = 0; at < length; at++) word[at] = VARIANTS.get(word[at]!) ?? word[at]!
  let end = withoutPrefix(word, length, ARTICLES, 2)
  end = withoutPrefix(word, end, [AND], 3)
  return withoutSuffix(word, end, ENDINGS, 2)
}

function withoutPrefix(
  word: Uint32Array,
  length: number,
  list: readonly (readonly number[])[],
  least: number,
): number {
  for (const prefix of list) {
    if (length - prefix.length < least || prefix.some((letter, at) => word[at] !== letter)) continue
    word.copyWithin(0, prefix.length, length)
    return length - prefix.length
  }
  return length
}
