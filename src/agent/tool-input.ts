import { z } from 'zod'
import type { JsonSchema } from '../contract/tool.ts'
import { isObject, type Json, type JsonObject, parseJson } from '../kit/json.ts'
import { lenientJson } from '../kit/lenient-json.ts'

/**
 * Reads the input that a model wrote for a tool. Values of a wrong type are converted where the meaning is clear:
 * models write `"5"` for 5 and JSON text for an object.
 *
 * @throws Error with a reason for the model, in at most 1000 characters, if the input does not fit the schema
 */
export function readToolInput(text: string, schema: JsonSchema): JsonObject {
  const parsed = text.trim() === '' ? {} : parseJson(text)
  if (!isObject(parsed)) throw new Error('The input is not a JSON object')
  const input = convert(parsed, schema) as JsonObject
  const result = validatorOf(schema)?.safeParse(input)
  if (result === undefined || result.success) return input
  const problems = result.error.issues.map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`)
  throw new Error(`The input does not fit the schema of the tool. ${problems.join('; ')}`.slice(0, 1000))
}

type Validator = z.ZodType

const validators = new WeakMap<JsonSchema, { validator: Validator | undefined }>()

/** The validator of a schema, created once. Undefined if zod does not support a keyword: then only the API checks. */
function validatorOf(schema: JsonSchema): Validator | undefined {
  let cached = validators.get(schema)
  if (!cached) {
    cached = { validator: createValidator(schema) }
    validators.set(schema, cached)
  }
  return cached.validator
}

function createValidator(schema: JsonSchema): Validator | undefined {
  try {
    return z.fromJSONSchema(withoutPatterns(schema) as JsonSchema)
  } catch {
    return undefined
  }
}

/** Keywords whose value is an object of schemas by name. */
const SCHEMA_MAPS = ['properties', '$defs', 'definitions', 'dependentSchemas']
/** Keywords whose value is a schema or a list of schemas. */
const SCHEMAS = [
  ...['items', 'prefixItems', 'contains', 'additionalProperties', 'unevaluatedProperties', 'propertyNames'],
  ...['anyOf', 'oneOf', 'allOf', 'not', 'if', 'then', 'else'],
]

/**
 * A schema without its `pattern` keywords. A regular expression from an API description, run on a model's text, may not
 * end. The model still reads the pattern in the description of the tool, and the API checks it.
 *
 * @throws Error for `patternProperties`: without them the schema would mean something else
 */
function withoutPatterns(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withoutPatterns)
  if (!isObject(schema)) return schema
  const { pattern: _, ...rest } = schema as JsonSchema
  if (rest.patternProperties !== undefined) throw new Error('patterns are not checked here')
  return Object.fromEntries(
    Object.entries(rest).map(([keyword, value]) => {
      if (SCHEMAS.includes(keyword)) return [keyword, withoutPatterns(value)]
      if (!SCHEMA_MAPS.includes(keyword) || !isObject(value)) return [keyword, value]
      const schemas = Object.entries(value as JsonObject)
      return [keyword, Object.fromEntries(schemas.map(([name, inner]) => [name, withoutPatterns(inner)]))]
    }),
  )
}

/** Converts a value to the type in its schema. A value whose conversion is not clear stays unchanged. */
function convert(value: Json, schema: Json | undefined): Json {
  if (!isObject(schema)) return value
  const types = [schema.type].flat().filter((type) => typeof type === 'string')
  const wanted = types.find((type) => type !== 'null')
  const converted =
    wanted === undefined || types.some((type) => isOfType(type, value)) ? value : toType(value, wanted)
  if (Array.isArray(converted)) return converted.map((inner) => convert(inner, schema.items as Json))
  return isObject(converted) ? convertFields(converted as JsonObject, schema as JsonSchema) : converted
}

function convertFields(value: JsonObject, { properties, required }: JsonSchema): JsonObject {
  const schemas = isObject(properties) ? (properties as JsonObject) : {}
  const needed = Array.isArray(required) ? required : []
  const fields = Object.entries(value).flatMap(([key, inner]) => {
    const schema = Object.hasOwn(schemas, key) ? schemas[key] : undefined
    const converted = convert(inner, schema)
    // Models write null for a value that they leave out.
    const leftOut = converted === null && isObject(schema) && !allowsNull(schema as JsonSchema)
    return leftOut && !needed.includes(key) ? [] : [[key, converted] as const]
  })
  return Object.fromEntries(fields)
}

const allowsNull = ({ type, enum: choices, anyOf, oneOf }: JsonSchema) =>
  [type].flat().includes('null') ||
  [choices, anyOf, oneOf].some((list) => list !== undefined) ||
  type === undefined

function isOfType(type: string, value: Json): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isObject(value)
  return type === 'null' ? value === null : typeof value === type
}

function toType(value: Json, wanted: string): Json {
  if (value === null) return value
  switch (wanted) {
    case 'string':
      return typeof value === 'object' ? JSON.stringify(value) : String(value)
    case 'number':
    case 'integer':
      return toNumber(value)
    case 'boolean':
      return toBoolean(value)
    case 'array':
      return toArray(value)
    default:
      return typeof value === 'string' ? (lenientJson(value) ?? value) : value
  }
}

function toNumber(value: Json): Json {
  if (typeof value === 'boolean') return Number(value)
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
  return Number.isFinite(number) ? number : value
}

function toBoolean(value: Json): Json {
  if (typeof value === 'number') return value !== 0
  if (typeof value !== 'string') return value
  if (/^\s*(true|1|yes)\s*$/i.test(value)) return true
  return /^\s*(false|0|no)\s*$/i.test(value) ? false : value
}

/** From JSON text, from an object with the keys 0, 1, …, or from a single value, which becomes a list of one. */
function toArray(value: Json): Json {
  const parsed = typeof value === 'string' ? (lenientJson(value) ?? value) : value
  if (Array.isArray(parsed)) return parsed
  if (!isObject(parsed)) return [value]
  const keys = Object.keys(parsed)
  return keys.length > 0 && keys.every((key, index) => key === String(index))
    ? Object.values(parsed)
    : [parsed as Json]
}
