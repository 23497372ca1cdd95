import { z } from 'zod'
import type { JsonSchema } from '../contract/tool.ts'
import { isObject, type Json, type JsonObject, parseJson } from '../kit/json.ts'
import { lenientJson } from '../kit/lenient-json.ts'

/**
 * Reads what a model wrote as the input of a tool. Models write `"5"` for 5 and JSON text for an object; that is read
 * as it was meant. What still does not fit is told in words that the model can learn from.
 *
 * @throws Error with the reason, fit for a model
 */
export function readToolInput(written: string, schema: JsonSchema): JsonObject {
  const parsed = written.trim() === '' ? {} : parseJson(written)
  if (!isObject(parsed)) throw new Error('The input is not a JSON object')
  const input = mend(parsed, schema) as JsonObject
  const verdict = checkOf(schema)?.safeParse(input)
  if (verdict === undefined || verdict.success) return input
  const wrong = verdict.error.issues.map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`)
  throw new Error(`The input does not fit the schema of the tool. ${wrong.join('; ')}`.slice(0, 1000))
}

type Check = z.ZodType

const checks = new WeakMap<JsonSchema, { check: Check | undefined }>()

/** The check of a schema, made once; undefined for a schema with words that it does not know: the API will judge. */
function checkOf(schema: JsonSchema): Check | undefined {
  let made = checks.get(schema)
  if (!made) {
    made = { check: makeCheck(schema) }
    checks.set(schema, made)
  }
  return made.check
}

function makeCheck(schema: JsonSchema): Check | undefined {
  try {
    return z.fromJSONSchema(withoutPatterns(schema) as JsonSchema)
  } catch {
    return undefined
  }
}

const HOLDING_SCHEMAS = ['properties', '$defs', 'definitions', 'dependentSchemas']
const SCHEMAS = [
  ...['items', 'prefixItems', 'contains', 'additionalProperties', 'unevaluatedProperties', 'propertyNames'],
  ...['anyOf', 'oneOf', 'allOf', 'not', 'if', 'then', 'else'],
]

/**
 * A schema without its patterns. They are the words of whoever describes the API, the text is a stranger's: together
 * they may take for ever. The model is told of them, and the API will judge.
 *
 * @throws Error where keys have patterns: without those it would be another schema
 */
function withoutPatterns(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withoutPatterns)
  if (!isObject(schema)) return schema
  const { pattern: _, ...kept } = schema as JsonSchema
  if (kept.patternProperties !== undefined) throw new Error('patterns are not checked here')
  return Object.fromEntries(
    Object.entries(kept).map(([word, value]) => {
      if (SCHEMAS.includes(word)) return [word, withoutPatterns(value)]
      if (!HOLDING_SCHEMAS.includes(word) || !isObject(value)) return [word, value]
      const held = Object.entries(value as JsonObject)
      return [word, Object.fromEntries(held.map(([name, inner]) => [name, withoutPatterns(inner)]))]
    }),
  )
}

/** Reads a value as its schema means it, as far as that is plain; whatever is not plain stays as it was written. */
function mend(value: Json, schema: Json | undefined): Json {
  if (!isObject(schema)) return value
  const types = [schema.type].flat().filter((type) => typeof type === 'string')
  const wanted = types.find((type) => type !== 'null')
  const mended =
    wanted === undefined || types.some((type) => isOf(type, value)) ? value : turned(value, wanted)
  if (Array.isArray(mended)) return mended.map((inner) => mend(inner, schema.items as Json))
  return isObject(mended) ? mendFields(mended as JsonObject, schema as JsonSchema) : mended
}

function mendFields(value: JsonObject, { properties, required }: JsonSchema): JsonObject {
  const schemas = isObject(properties) ? (properties as JsonObject) : {}
  const needed = Array.isArray(required) ? required : []
  const fields = Object.entries(value).flatMap(([key, inner]) => {
    const schema = Object.hasOwn(schemas, key) ? schemas[key] : undefined
    const mended = mend(inner, schema)
    // Models write null for what they leave out.
    const leftOut = mended === null && isObject(schema) && !allowsNull(schema as JsonSchema)
    return leftOut && !needed.includes(key) ? [] : [[key, mended] as const]
  })
  return Object.fromEntries(fields)
}

const allowsNull = ({ type, enum: choices, anyOf, oneOf }: JsonSchema) =>
  [type].flat().includes('null') ||
  [choices, anyOf, oneOf].some((list) => list !== undefined) ||
  type === undefined

function isOf(type: string, value: Json): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isObject(value)
  return type === 'null' ? value === null : typeof value === type
}

/** A value of another type as one of the type that is wanted. */
function turned(value: Json, wanted: string): Json {
  if (value === null) return value
  switch (wanted) {
    case 'string':
      return typeof value === 'object' ? JSON.stringify(value) : String(value)
    case 'number':
    case 'integer':
      return asNumber(value)
    case 'boolean':
      return asSwitch(value)
    case 'array':
      return asList(value)
    default:
      return typeof value === 'string' ? (lenientJson(value) ?? value) : value
  }
}

function asNumber(value: Json): Json {
  if (typeof value === 'boolean') return Number(value)
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
  return Number.isFinite(number) ? number : value
}

function asSwitch(value: Json): Json {
  if (typeof value === 'number') return value !== 0
  if (typeof value !== 'string') return value
  if (/^\s*(true|1|yes)\s*$/i.test(value)) return true
  return /^\s*(false|0|no)\s*$/i.test(value) ? false : value
}

/** JSON text, an object with the numbers 0, 1, … for keys, or one thing where a list of one was meant. */
function asList(value: Json): Json {
  const read = typeof value === 'string' ? (lenientJson(value) ?? value) : value
  if (Array.isArray(read)) return read
  if (!isObject(read)) return [value]
  const keys = Object.keys(read)
  return keys.length > 0 && keys.every((key, index) => key === String(index))
    ? Object.values(read)
    : [read as Json]
}
