/** The line, from 1, at which a text stops being JSON; null for a JSON text and for one that does not look like JSON. */
export function jsonErrorLine(text: string): number | null {
  if (!/^\s*[[{]/.test(text)) return null
  try {
    JSON.parse(text)
    return null
  } catch (error) {
    const position = /at position (\d+)/.exec((error as Error).message)?.[1]
    const end = text.trimEnd().length
    const before = text.slice(0, Math.min(end, Number(position ?? end)))
    return before.split('\n').length
  }
}
