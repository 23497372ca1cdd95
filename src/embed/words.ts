/** What a character is to a word: outside of words, a letter or mark, a digit, a CJK character, a symbol. */
const KIND = { none: 0, letter: 1, digit: 2, cjk: 3, symbol: 4 } as const

const CJK = /[\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}]/u
const LETTER = /[\p{L}\p{M}]/u
const DIGIT = /\p{N}/u
const SYMBOL = /\p{So}/u

/** A digit that is CJK too: it continues a run of digits, and begins a run of CJK characters. */
const CJK_ZERO = 0x3007

/** The kinds of so many characters are found at once, when the first one of them is met. */
const PAGE = 256
const pages: Uint8Array[] = []

/** Called with the position of a word, and whether it is a run of CJK characters, which are tokenized differently. */
type Visit = (from: number, to: number, isCjk: boolean) => void

/**
 * Visits the words of a normalised text in order: runs of CJK characters, of digits, or of other letters and marks, and
 * single symbols, such as emoji.
 */
export function eachWord(text: string, visit: Visit): void {
  let from = 0
  let running: number = KIND.none
  for (let at = 0; at < text.length; ) {
    let code = text.charCodeAt(at)
    const start = at++
    if (code >= 0xd800 && code < 0xdc00) {
      code = text.codePointAt(start)!
      if (code > 0xffff) at++
    }
    const kind = (pages[code >> 8] ?? pageOf(code >> 8))[code & (PAGE - 1)]!
    if (kind === running && kind !== KIND.symbol) continue
    if (running === KIND.digit && code === CJK_ZERO) continue
    if (running !== KIND.none) visit(from, start, running === KIND.cjk)
    from = start
    running = kind
  }
  if (running !== KIND.none) visit(from, text.length, running === KIND.cjk)
}

function pageOf(number: number): Uint8Array {
  const page = Uint8Array.from({ length: PAGE }, (_, at) => kindOf(String.fromCodePoint(number * PAGE + at)))
  pages[number] = page
  return page
}

function kindOf(character: string): number {
  if (CJK.test(character)) return KIND.cjk
  if (DIGIT.test(character)) return KIND.digit
  if (LETTER.test(character)) return KIND.letter
  return SYMBOL.test(character) ? KIND.symbol : KIND.none
}
