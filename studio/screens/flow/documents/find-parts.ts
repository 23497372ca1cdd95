export type FoundPart = { text: string; start: number; found: boolean }

/** Divides a text at the places of some words, in any case. */
export function findParts(text: string, words: string | undefined): FoundPart[] {
  if (!words) return [{ text, start: 0, found: false }]
  const parts: FoundPart[] = []
  const pattern = new RegExp(words.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'gi')
  let at = 0
  for (const { index, 0: match } of text.matchAll(pattern)) {
    if (index > at) parts.push({ text: text.slice(at, index), start: at, found: false })
    parts.push({ text: match, start: index, found: true })
    at = index + match.length
  }
  if (at < text.length) parts.push({ text: text.slice(at), start: at, found: false })
  return parts
}
