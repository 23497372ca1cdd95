/** A range in a text, in UTF-16 code units; `to` is exclusive. */
export type TextRange = { from: number; to: number }
export type Highlight = TextRange & { words: TextRange[] }

/** A piece of a chunk: within the best sentence or not, and whether it is a word of the question. */
export type MarkedPiece = { text: string; sentence: boolean; word: boolean }

/** The text of a chunk in pieces, with the best sentence and its words of the question marked. */
export function markedText(text: string, highlight: Highlight | null | undefined): MarkedPiece[] {
  if (!highlight) return [{ text, sentence: false, word: false }]
  const { from, to, words } = highlight
  const pieces = [{ text: text.slice(0, from), sentence: false, word: false }]
  let at = from
  for (const word of words) {
    pieces.push({ text: text.slice(at, word.from), sentence: true, word: false })
    pieces.push({ text: text.slice(word.from, word.to), sentence: true, word: true })
    at = word.to
  }
  pieces.push({ text: text.slice(at, to), sentence: true, word: false })
  pieces.push({ text: text.slice(to), sentence: false, word: false })
  return pieces.filter((piece) => piece.text !== '')
}

/**
 * The part of a chunk around its best sentence, of about `length` characters, with the highlight moved along. `cut` is
 * true where something was left out.
 */
export function excerptOf(text: string, highlight: Highlight | null | undefined, length: number) {
  if (text.length <= length * 1.3) return { text, highlight, cut: false }
  const room = Math.max(0, length - (highlight ? highlight.to - highlight.from : 0))
  const before = highlight ? Math.max(0, highlight.from - Math.floor(room / 3)) : 0
  const start = before === 0 ? 0 : wordStart(text, before)
  const end = Math.min(text.length, Math.max(start + length, highlight?.to ?? 0))
  const head = start === 0 ? '' : '… '
  const shift = head.length - start
  const moved = ({ from, to }: TextRange) => ({ from: from + shift, to: to + shift })
  return {
    text: `${head}${text.slice(start, end)}${end < text.length ? ' …' : ''}`,
    highlight: highlight && { ...moved(highlight), words: highlight.words.map(moved) },
    cut: true,
  }
}

function wordStart(text: string, at: number): number {
  const space = text.slice(at, at + 40).search(/\s/)
  return space < 0 ? at : at + space + 1
}
