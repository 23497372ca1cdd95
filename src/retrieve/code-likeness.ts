/** How many characters of a text are looked at: source code shows itself soon, and a passage can be long. */
const MOST_CHARACTERS = 600

/** By the code of an ASCII character: how much it says for source code. Marks of Markdown say nothing. */
const MARKS = new Uint8Array(128)
for (const symbol of '{}[]();=<_$\\+') MARKS[symbol.charCodeAt(0)] = 1

/** A capital inside a word (`readFile`) says as much as two of these characters. */
const HUMP = 2

/** From this share on a text counts as source code, if there are at least so many: a short sentence may have brackets. */
const LEAST_SHARE = 0.05
const LEAST_MARKS = 8

/**
 * Whether a text is source code, by the share of characters that are rare in sentences: brackets, operators, underscores, and
 * capitals inside words. It knows no language of programming.
 */
export function isCode(text: string): boolean {
  const end = Math.min(text.length, MOST_CHARACTERS)
  let [marks, visible, afterSmall] = [0, 0, false]
  for (let at = 0; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code > 32) visible++
    if (code < 128) marks += afterSmall && code >= 65 && code <= 90 ? HUMP : MARKS[code]!
    afterSmall = code >= 97 && code <= 122
  }
  return marks >= LEAST_MARKS && marks >= LEAST_SHARE * visible
}

/** `user_id`, `read.file(`, `std::vector`, `a => b`: what a question about source code quotes. */
const IDENTIFIER = /\p{L}_\p{L}|\p{L}\(|\p{L}::\p{L}|=>|\(\)/u

/** Whether a question quotes source code. */
export const quotesCode = (question: string): boolean =>
  IDENTIFIER.test(question.slice(0, MOST_CHARACTERS)) || isCode(question)
