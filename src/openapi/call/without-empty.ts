import { isObject, type Json, type JsonObject } from '../../kit/json.ts'

/**
 * An input without the keys whose value is null, an empty text, or an object that is or becomes empty; at all depths.
 */
export function withoutEmpty(input: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(input)
      .map(([key, value]): [string, Json] => [key, cleaned(value)])
      .filter(([, value]) => !isEmpty(value)),
  )
}

const cleaned = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(cleaned)
  return isObject(value) ? withoutEmpty(value as JsonObject) : value
}

const isEmpty = (value: Json) =>
  value === null || value === '' || (isObject(value) && Object.keys(value).length === 0)
