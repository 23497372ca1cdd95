import type { JsonSchema } from '../../contract/tool.ts'
import type { Json } from '../../kit/json.ts'

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']

/** Words that are not types of JSON Schema, and the schemas that authors mean. */
const MEANT_TYPES: Record<string, JsonSchema> = {
  file: { type: 'string', format: 'binary' },
  int: { type: 'integer' },
  long: { type: 'integer' },
  float: { type: 'number' },
  double: { type: 'number' },
  decimal: { type: 'number' },
  bool: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  datetime: { type: 'string', format: 'date-time' },
  uuid: { type: 'string', format: 'uuid' },
}

const NUMBERS = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
]

/** The keywords of a schema that contain no other schema, as in JSON Schema 2020-12. */
export function plainKeywords(
  schema: Record<string, unknown>,
  { values, letters }: { values: number; letters: number },
): JsonSchema {
  const keywords: JsonSchema = {}
  const description = [schema.description, schema.title].find(
    (text) => typeof text === 'string' && text !== '',
  )
  if (typeof description === 'string' && letters > 0) keywords.description = shortenText(description, letters)
  Object.assign(keywords, typesOf(schema), limitsOf(schema))
  if (typeof schema.format === 'string') keywords.format = schema.format
  if (typeof schema.contentEncoding === 'string') keywords.contentEncoding = schema.contentEncoding
  if (schema.uniqueItems === true) keywords.uniqueItems = true
  if (schema.default !== undefined && schema.default !== null) keywords.default = schema.default as Json
  const options = 'const' in schema ? [schema.const as Json] : schema.enum
  if (Array.isArray(options)) Object.assign(keywords, choice(options as Json[], schema, values))
  if (typeof schema.pattern === 'string' && compiles(schema.pattern)) {
    keywords.pattern = schema.pattern
    // With an example, a pattern is easier to match.
    const [example] = [schema.example, ...(Array.isArray(schema.examples) ? schema.examples : [])]
    if (typeof example === 'string' && example.length <= letters) keywords.examples = [example]
  }
  return keywords
}

function typesOf(schema: Record<string, unknown>): JsonSchema {
  const { type, nullable, 'x-nullable': xNullable } = schema
  if (typeof type === 'string' && MEANT_TYPES[type]) return MEANT_TYPES[type]
  const types = (Array.isArray(type) ? type : [type]).filter((one) => TYPES.includes(one as string))
  if (types.length === 0) return {}
  if ((nullable === true || xNullable === true) && !types.includes('null')) types.push('null')
  return { type: types.length === 1 ? types[0] : types }
}

function limitsOf(schema: Record<string, unknown>): JsonSchema {
  const limits: JsonSchema = {}
  for (const key of NUMBERS) {
    const value = schema[key]
    if (typeof value === 'number') limits[key] = value
  }
  // Before 3.1 it was a boolean: whether the limit beside it is exclusive.
  for (const [side, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const)
    if (schema[exclusive] === true && limits[side] !== undefined) {
      limits[exclusive] = limits[side]
      delete limits[side]
    }
  return limits
}

/** The allowed values, or the first of them as examples if there are many. */
function choice(options: Json[], schema: Record<string, unknown>, most: number): JsonSchema {
  if (options.length === 0) return {}
  if (options.length > most) return { examples: options.slice(0, Math.max(3, most)) }
  const nullable = (schema.nullable === true || schema['x-nullable'] === true) && !options.includes(null)
  return { enum: nullable ? [...options, null] : options }
}

/** A text on one line, cut to `most` characters. */
export function shortenText(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= most ? line : `${line.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp
  } catch {
    return false
  }
}
