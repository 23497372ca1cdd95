import { random } from './prose.ts'

/** Text of made-up words that are as frequent as those of a language: the n-th comes 1/n times as often as the first. */

const VOCABULARY = 30_000
const SYLLABLES = 'ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo zu'.split(' ')

const WORDS = Array.from({ length: VOCABULARY }, (_, rank) => {
  let word = ''
  for (let rest = rank; ; rest = Math.floor(rest / SYLLABLES.length) - 1) {
    word += SYLLABLES[rest % SYLLABLES.length]
    if (rest < SYLLABLES.length) return word
  }
})

/** So many words, each as frequent as in a text. */
export const words = (next: () => number, count: number): string =>
  Array.from({ length: count }, () => WORDS[Math.floor(VOCABULARY ** next()) - 1]!).join(' ')

/** So many words of ranks in a range, all as frequent. The first rank is 0. */
export const wordsOfRanks = (next: () => number, count: number, [from, to]: [number, number]): string =>
  Array.from({ length: count }, () => WORDS[from + Math.floor(next() * (to - from))]!).join(' ')

/** About so many characters, in sentences and paragraphs. */
export function naturalText(characters: number, seed: number): string {
  const next = random(seed)
  const paragraphs: string[] = []
  for (let length = 0; length < characters; ) {
    const sentences = Array.from({ length: 3 + Math.floor(next() * 6) }, () => `${words(next, 14)}.`)
    paragraphs.push(sentences.join(' '))
    length += paragraphs.at(-1)!.length + 2
  }
  return paragraphs.join('\n\n')
}

/** What a person would ask: eight words, the frequent ones among them. */
export const naturalQuestion = (next: () => number): string => words(next, 8)
