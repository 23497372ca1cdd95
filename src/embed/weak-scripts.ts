/** Scripts of languages in which the built-in model finds much less than keywords do. */
const WEAK_SCRIPTS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu
const LETTERS = /\p{L}/gu

/** Characters of a question that are read: enough to know its script. */
const MOST_CHARACTERS = 1000

/** Whether more than half of the letters of a question are Chinese, Japanese, Korean or Thai. */
export function isInWeakScript(question: string): boolean {
  const read = question.slice(0, MOST_CHARACTERS)
  const weak = read.match(WEAK_SCRIPTS)?.length ?? 0
  return weak > 0 && 2 * weak > (read.match(LETTERS)?.length ?? 0)
}
