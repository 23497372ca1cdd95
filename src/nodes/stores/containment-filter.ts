import { isObject, type Json, type JsonObject } from '../../kit/json.ts'

/**
 * The filter of PostgreSQL's containment, which Flowise uses: `{loc: {page: 1}}` holds for metadata whose `loc` has this page and
 * more, `{tags: ['a']}` for a list that has this item. Keys and values with an operator (`$gte`, `$or`) stay as they are.
 */
export function containmentFilter(raw: JsonObject): JsonObject {
  const parts = Object.entries(raw).flatMap(([key, value]) => contained(key, value as Json))
  const [first] = parts
  if (first === undefined) return {}
  return parts.length === 1 ? first : { $and: parts }
}

function contained(key: string, value: Json): JsonObject[] {
  if (key.startsWith('$')) return [{ [key]: value }]
  if (Array.isArray(value)) return value.map((item) => ({ [key]: { $contains: item } }))
  if (!isObject(value) || Object.keys(value).some((name) => name.startsWith('$'))) return [{ [key]: value }]
  const inner = Object.entries(value).flatMap(([name, part]) => contained(`${key}.${name}`, part as Json))
  return inner.length > 0 ? inner : [{ [key]: { $exists: true } }]
}
