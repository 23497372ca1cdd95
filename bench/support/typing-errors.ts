import { random } from './prose.ts'

/** Scripts without an alphabet, or without spaces between words: the generator leaves them as they are. */
const WITHOUT_WORDS = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]/
const WORD = /[\p{L}\p{M}]{4,}/gu

/** The share of the words of four letters or more that get an error. */
const SHARE = 0.25

/**
 * A question with typing errors in a quarter of its longer words: two letters in the wrong order, a letter left out, a
 * letter twice, or a wrong letter, equally often; never in the first letter. The same seed gives the same errors.
 */
export function withTypingErrors(question: string, seed: number): string {
  const next = random(seed)
  // The first numbers of small seeds are small.
  next()
  next()
  return question.replace(WORD, (word) => {
    if (WITHOUT_WORDS.test(word) || next() > SHARE) return word
    const letters = Array.from(word)
    const at = 1 + Math.floor(next() * (letters.length - 2))
    const kind = Math.floor(next() * 4)
    if (kind === 0) letters.splice(at, 2, letters[at + 1]!, letters[at]!)
    else if (kind === 1) letters.splice(at, 1)
    else if (kind === 2) letters.splice(at, 0, letters[at]!)
    else letters[at] = letters[Math.floor(next() * letters.length)]!
    return letters.join('')
  })
}
