/** A value that JSON can write. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

export type JsonObject = { [key: string]: Json }

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * JSON text in which the keys of every object stand in code-unit order, at every depth: equal values give equal
 * text, so that it can be hashed (the idea of RFC 8785, for values that came out of JSON).
 */
export function canonicalJson(value: Json): string {
  // What is in order already the engine writes several times faster.
  if (isOrdered(value)) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const object = value as JsonObject
  const keys = Object.keys(object).sort()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(object[key]!)}`).join(',')}}`
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

/** Whoever walks a value that is nested deeper than this may run out of stack. */
const MAX_DEPTH = 200

/** Parses JSON text; `undefined` where it is not JSON, or is nested too deep. */
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
