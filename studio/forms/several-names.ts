import type { Json } from '../drawing/flow-file.ts'

/** The names that a list of texts holds: a JSON list, the same as text, or a text with commas. */
export function namesIn(value: Json | undefined): string[] {
  if (Array.isArray(value)) return value.map(String)
  if (typeof value !== 'string' || value.trim() === '') return []
  if (value.trim().startsWith('['))
    try {
      const list: unknown = JSON.parse(value)
      if (Array.isArray(list)) return list.map(String)
    } catch {
      // Read as a text with commas.
    }
  return value
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
}

/** How a flow file holds the names: a JSON list as text, as Flowise writes it; nothing for none. */
export const valueOfNames = (names: readonly string[]): string =>
  names.length === 0 ? '' : JSON.stringify(names)
