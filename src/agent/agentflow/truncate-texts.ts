import type { Json, JsonObject } from '../../kit/json.ts'

/** How many characters of a text clients are shown of what a node did. */
const SHOWN = 20_000

/**
 * What clients see of what a node did: of long texts the beginning. All of it is told again after every node, and many
 * nodes may hold the same long question.
 */
export const truncateTexts = (facts: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, shownValue(value)]))

function shownValue(value: Json): Json {
  if (typeof value === 'string') return value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value
  if (Array.isArray(value)) return value.map(shownValue)
  return typeof value === 'object' && value !== null ? truncateTexts(value) : value
}
