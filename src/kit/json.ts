/** A value that JSON can write. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

export type JsonObject = { [key: string]: Json }

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * JSON text with the keys of all objects in code-unit order: equal values give equal text, which can be hashed. It follows
 * RFC 8785, for values that were parsed from JSON.
 */
export function canonicalJson(value: Json): string {
  // `JSON.stringify` is several times faster, if all keys are in order already.
  if (isOrdered(value)) return JSON.stringify(value)
  if (isFlat(value)) {
    const ordered = withOrderedKeys(value)
    // Keys that are whole numbers come first, in the order of the numbers, in every object.
    if (isOrdered(ordered)) return JSON.stringify(ordered)
  }
  const unordered = new Set<Json>()
  findUnordered(value, unordered)
  // Joined once: joining level by level would copy deep values many times.
  const pieces: string[] = []
  write(value, unordered, pieces)
  return pieces.join('')
}

/** Whether a value is an object with few keys, such as the metadata of most chunks: a copy of it costs little. */
const isFlat = (value: Json): value is JsonObject => isObject(value) && Object.keys(value).length <= 16

const withOrderedKeys = (value: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, value[key]!]),
  )

function write(value: Json, unordered: ReadonlySet<Json>, pieces: string[]): void {
  if (!unordered.has(value)) pieces.push(JSON.stringify(value))
  else if (Array.isArray(value)) {
    for (const [at, inner] of value.entries()) {
      pieces.push(at === 0 ? '[' : ',')
      write(inner, unordered, pieces)
    }
    pieces.push(']')
  } else {
    const object = value as JsonObject
    for (const [at, key] of Object.keys(object).sort().entries()) {
      pieces.push(at === 0 ? '{' : ',', JSON.stringify(key), ':')
      write(object[key]!, unordered, pieces)
    }
    pieces.push('}')
  }
}

/** Collects the objects and lists that are not in order or hold one that is not. Each value is visited once. */
function findUnordered(value: Json, unordered: Set<Json>): boolean {
  if (value === null || typeof value !== 'object') return false
  let found = false
  if (Array.isArray(value)) for (const inner of value) found = findUnordered(inner, unordered) || found
  else {
    let before = ''
    for (const key in value) {
      found = findUnordered(value[key]!, unordered) || key < before || found
      before = key
    }
  }
  if (found) unordered.add(value)
  return found
}

function isOrdered(value: Json): boolean {
  if (value === null || typeof value !== 'object') return true
  if (Array.isArray(value)) return value.every(isOrdered)
  let before = ''
  for (const key in value) {
    if (key < before || !isOrdered(value[key]!)) return false
    before = key
  }
  return true
}

/** The deepest nesting that recursive functions may visit without running out of stack. */
const MAX_DEPTH = 200

/** Parses JSON text; `undefined` if it is not JSON or is nested too deeply. */
export function parseJson(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json
    return fits(value, MAX_DEPTH) ? value : undefined
  } catch {
    return undefined
  }
}

const fits = (value: Json, depth: number): boolean =>
  value === null ||
  typeof value !== 'object' ||
  (depth > 0 && Object.values(value).every((inner) => fits(inner, depth - 1)))
