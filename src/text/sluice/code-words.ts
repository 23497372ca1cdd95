/** The words that lines of code begin with, as parts of patterns. */
export const MODIFIERS =
  'export|default|declare|abstract|async|public|private|protected|internal|static|final|sealed|override|open|data|inline|suspend|virtual|unsafe|const|extern|partial|pub(?:\\([^)]*\\))?|local'
export const DEFINING =
  'def|defp|defmodule|class|interface|struct|enum|trait|impl(?:<[^>]*>)?|module|mod|namespace|record|object|protocol|extension|func(?: *\\([^)]*\\))?|fn|fun|function\\*?|sub|type|union|message|service'
export const CONTINUING = 'end|else|elif|except|finally|catch|rescue|ensure|then|fi|done|esac'
export const STATING =
  'if|for|while|switch|catch|return|else|do|try|throw|new|delete|await|yield|case|using|import|from|with|not|assert|print|raise|elif|except|super|goto|typedef|function'

/**
 * What a line may be by its first three characters, so that most lines need no pattern: define something by a word, assign a
 * function, go on with what is above, lead to a definition, state something. `TELLS`: one of these but the last.
 */
export const LINE_START = {
  DEFINES: 1,
  ASSIGNS: 2,
  CONTINUES: 4,
  LEADS: 8,
  TELLS: 15,
  STATES: 16,
} as const

/** Of the second and third character, 5 bits; others that share them only cost a pattern. */
const LINE_STARTS = new Uint8Array(0x80 << 10)
for (const word of `${MODIFIERS}|${DEFINING}`.split('|')) addStart(word.slice(0, 3), LINE_START.DEFINES)
for (const start of ['exp', 'def', 'con', 'let', 'var']) addStart(start, LINE_START.ASSIGNS)
for (const word of CONTINUING.split('|')) addStart(word.slice(0, 3), LINE_START.CONTINUES)
for (const start of ')]}{') addStart(start, LINE_START.CONTINUES)
for (const start of ['@', '#', '*', '[', '//', '/*', '--', '"""', "'''"]) addStart(start, LINE_START.LEADS)
for (const word of STATING.split('|')) addStart(word.slice(0, 3), LINE_START.STATES)

/** @param start three characters, or fewer that may be followed by any */
function addStart(start: string, may: number): void {
  const [first, second, third] = [0, 1, 2].map((at) => start.charCodeAt(at)) as [number, number, number]
  const open = start.length > 2 ? 0 : start.length > 1 ? 0x1f : 0x3ff
  const fixed = placeOf(first, second, third) & ~open
  for (let other = 0; other <= open; other++) LINE_STARTS[fixed | other]! |= may
}

/**
 * What a line may be that begins with three UTF-16 code units: a sum of {@link LINE_START}. The second and the third one may
 * be missing (NaN).
 */
export const lineStart = (first: number, second: number, third: number): number =>
  first < 0x80 ? LINE_STARTS[placeOf(first, second, third)]! : 0

function placeOf(first: number, second: number, third: number): number {
  return (first << 10) | ((second & 0x1f) << 5) | (third & 0x1f)
}
