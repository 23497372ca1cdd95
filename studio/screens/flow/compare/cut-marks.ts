/** A piece of a chunk beside the chunk of the other variant: in both, or in this one alone. */
export type CutPiece = { text: string; isShared: boolean }

/** The fewest characters at an end that are no accident. */
const LEAST = 20

/**
 * What two chunks of a document share: one within the other, or the end of one at the beginning of the other. Between a shared piece and
 * one that is not, the other variant was cut. Undefined where they share nothing.
 *
 * @param text the chunk that is shown
 * @param other that of the other variant
 */
export function cutPieces(text: string, other: string): CutPiece[] | undefined {
  if (text === other) return [{ text, isShared: true }]
  const [start, end] = sharedRange(text, other) ?? []
  if (start === undefined || end === undefined) return undefined
  return [
    { text: text.slice(0, start), isShared: false },
    { text: text.slice(start, end), isShared: true },
    { text: text.slice(end), isShared: false },
  ].filter((piece) => piece.text !== '')
}

function sharedRange(text: string, other: string): [start: number, end: number] | undefined {
  const within = other.trim() === '' ? -1 : text.indexOf(other)
  if (within >= 0) return [within, within + other.length]
  if (text.trim() !== '' && other.includes(text)) return [0, text.length]
  const atEnd = overlap(text, other)
  if (atEnd >= LEAST) return [text.length - atEnd, text.length]
  const atStart = overlap(other, text)
  return atStart >= LEAST ? [0, atStart] : undefined
}

/** The most characters at the end of one text with which the other begins. */
function overlap(ending: string, beginning: string): number {
  for (let length = Math.min(ending.length, beginning.length); length > 0; length--)
    if (ending.endsWith(beginning.slice(0, length))) return length
  return 0
}
