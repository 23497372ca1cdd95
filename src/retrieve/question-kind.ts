/** Characters of a question that are read. */
const MOST_CHARACTERS = 4000

/** Chinese and Japanese write no spaces: two characters count as a word. */
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu
const LATIN = /\p{Script=Latin}/gu
const LETTERS = /\p{L}/gu

/** The scripts that there is more than one collection of questions for. */
export type FittedScript = 'latin' | 'east-asian'

/** The most words of the short, middle and long questions that there are figures for. The shortest have four. */
export const LENGTH_CLASSES = [8, 20, 40]
const LEAST_WORDS = 4

/** The number of the length class that a question of so many words is in; undefined where it is too short or too long. */
export function lengthClassOf(words: number): number | undefined {
  if (words < LEAST_WORDS) return undefined
  const at = LENGTH_CLASSES.findIndex((most) => words <= most)
  return at < 0 ? undefined : at
}

/** How many words the beginning of a question has. */
export function wordsIn(question: string): number {
  const read = question.slice(0, MOST_CHARACTERS)
  return Math.max(read.match(/\S+/g)?.length ?? 0, (read.match(WITHOUT_SPACES)?.length ?? 0) / 2)
}

/** The script of more than half of the letters, if it is one of these. */
export function scriptOf(question: string): FittedScript | undefined {
  const read = question.slice(0, MOST_CHARACTERS)
  const letters = read.match(LETTERS)?.length ?? 0
  const isMost = (script: RegExp) => 2 * (read.match(script)?.length ?? 0) > letters
  return isMost(LATIN) ? 'latin' : isMost(WITHOUT_SPACES) ? 'east-asian' : undefined
}
