/** A word that was read in another spelling too, the most likely one first. */
type Reading = { word: string; readAs: readonly string[] }

/** Characters that are not seen; the words of readings have none. */
const UNSEEN = /\p{Cf}/gu

/** No other letter beside a word; a small one can be before a capital: `userNmae` has the word `Nmae`. */
const BEFORE = '(?<![\\p{Lo}\\p{M}]|\\p{Ll}(?!\\p{Lu}))'
const AFTER = '(?![\\p{Ll}\\p{Lo}\\p{M}])'

/** A question with each misspelt word replaced by the word that was most likely meant. */
export function asMeant(question: string, readings: readonly Reading[]): string {
  if (readings.length === 0) return question
  return readings.reduce(
    (text, { word, readAs }) => text.replace(new RegExp(BEFORE + word + AFTER, 'gu'), () => readAs[0]!),
    question.normalize().replace(UNSEEN, ''),
  )
}
