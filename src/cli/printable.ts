/**
 * Makes a text from outside safe for a terminal. Control characters, which can move the cursor, change the title of the
 * window or hide text, become spaces; so do the marks that change the direction of writing.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, ' ')
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/gu
const WITHOUT_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/gu

/** The width of a text in columns of a terminal; wide East Asian characters take two. */
export function displayWidth(text: string): number {
  const bare = text.replace(WITHOUT_WIDTH, '')
  return [...bare].length + (bare.match(WIDE)?.length ?? 0)
}

/** Cuts a text to a number of columns; a cut text ends in an ellipsis. */
export function shorten(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text
  let short = ''
  for (const letter of text) {
    if (displayWidth(short + letter) > columns - 1) break
    short += letter
  }
  return `${short.trimEnd()}…`
}

/** Wraps a line between words to a number of columns; a word that is longer than that is cut. */
export function wrap(line: string, columns: number): string[] {
  const lines: string[] = []
  let current = ''
  for (const word of line.split(/(?<=\s)(?=\S)/)) {
    if (current !== '' && displayWidth((current + word).trimEnd()) > columns) {
      lines.push(current.trimEnd())
      current = ''
    }
    current += word
  }
  return [...lines, current.trimEnd()].map((text) => shorten(text, columns))
}
