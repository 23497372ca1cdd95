import type { Json, JsonObject } from '../../kit/json.ts'

/** In characters. */
const MAX_TEXT = 20_000

/**
 * The data of an executed node for clients, with long texts cut. The data of all nodes are sent again after every node,
 * and many nodes may hold the same long question.
 */
export const truncateTexts = (data: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [name, truncateValue(value)]))

function truncateValue(value: Json): Json {
  if (typeof value === 'string') return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value
  if (Array.isArray(value)) return value.map(truncateValue)
  return typeof value === 'object' && value !== null ? truncateTexts(value) : value
}
