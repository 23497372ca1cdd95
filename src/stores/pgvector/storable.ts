import type { Json } from '../../kit/json.ts'

/** A text as PostgreSQL can store it: without U+0000 and without half of a surrogate pair, which become U+FFFD. */
export const storableText = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd')

/** JSON text for `jsonb`, with all texts and keys as PostgreSQL can store them. */
export const storableJson = (value: Json): string => JSON.stringify(storable(value))

function storable(value: Json): Json {
  if (typeof value === 'string') return storableText(value)
  if (Array.isArray(value)) return value.map(storable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [storableText(key), storable(part)]))
}
