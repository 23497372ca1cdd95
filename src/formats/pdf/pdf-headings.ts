/** A longer text is a paragraph. */
const MAX_CHARACTERS = 200
const MAX_WORDS = 30

/** A full stop ends a sentence of this many words or more, and a numbered title before that. */
const MIN_SENTENCE = 4

/** A sentence that ends inside the text: `hard. That`, not `Chapter 1. Scope`, `A. Numbers` or `Dr. Who`. */
const SENTENCE_END = /\p{Ll}{3}[.!?]["”’)]?\s+["“‘(]?\p{Lu}/u

/** A list item, of which the number does not count: headings are numbered too. */
const BULLET = /^\s*[•‣▪●◦–—*-]\s/

/** The dots to the page number in a table of contents. */
const LEADER = /(?:\.\s?){4}/

/** `4.5. /usr/include : Directory for standard include files.` */
const NUMBERED = /^\s*\d+(?:\.\d+)+\.?\s/

/** A word, or a character of a script that is written without spaces. */
const WORD = /\p{L}{2}|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u

/**
 * Whether text in large type can be a heading: not a sentence, a paragraph, a list item, a line of a table of contents
 * or a formula.
 */
export function canBeHeading(text: string): boolean {
  if (text.length >= MAX_CHARACTERS || !WORD.test(text) || BULLET.test(text) || LEADER.test(text))
    return false
  const words = text.trim().split(/\s+/)
  if (words.length > MAX_WORDS) return false
  const named = words.filter((word) => WORD.test(word)).length
  if (named >= MIN_SENTENCE && !NUMBERED.test(text) && /[\p{L}\d)"”’][.;,]["”’)]?$/u.test(text.trim()))
    return false
  return !(named > MIN_SENTENCE && SENTENCE_END.test(text))
}
