import { isWhiteSpace } from './white-space.ts'

/** How many UTF-16 code units of a text, or of a part of it, are no white space. */
export function countCharacters(text: string, from = 0, to = text.length): number {
  let count = 0
  for (let at = from; at < to; at++) if (!isWhiteSpace(text.charCodeAt(at))) count++
  return count
}
