import { isAscii } from './normalise.ts'

const CJK = '\\u3005-\\u3007\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{3ffff}'

/** A run of CJK characters (captured), of numbers, of other letters and marks, or one other symbol, such as an emoji. */
const WORD = new RegExp(`([${CJK}]+)|\\p{N}+|(?:(?![${CJK}])[\\p{L}\\p{M}])+|\\p{So}`, 'gu')

/** The kind of run that an ASCII character belongs to: 1 letters, 2 digits, 0 no word. */
const ASCII_KIND = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  return /[a-z]/.test(character) ? 1 : /[0-9]/.test(character) ? 2 : 0
})

/** Called with the position of a word, and whether it is a run of CJK characters, which are tokenized differently. */
type Visit = (from: number, to: number, isCjk: boolean) => void

/** Visits the words of a normalised text in order. */
export function eachWord(text: string, visit: Visit): void {
  if (isAscii(text)) eachAsciiWord(text, visit)
  else
    for (const match of text.matchAll(WORD))
      visit(match.index, match.index + match[0].length, match[1] !== undefined)
}

function eachAsciiWord(text: string, visit: Visit): void {
  for (let from = 0; from < text.length; ) {
    const kind = ASCII_KIND[text.charCodeAt(from)]!
    let to = from + 1
    while (to < text.length && ASCII_KIND[text.charCodeAt(to)] === kind) to++
    if (kind !== 0) visit(from, to, false)
    from = to
  }
}
