import type { JsonSchema } from '../contract/tool.ts'
import { isObject, type Json, type JsonObject } from '../kit/json.ts'

/** The types that authors write, and those of JSON Schema. Any other word means a text. */
const TYPES: Readonly<Record<string, string>> = {
  number: 'number',
  float: 'number',
  integer: 'integer',
  int: 'integer',
  boolean: 'boolean',
  bool: 'boolean',
  object: 'object',
  array: 'array',
  list: 'array',
  null: 'null',
}

/** One entry of an author's schema: the schema of the value, and whether it is required. */
export type SchemaField = { schema: JsonSchema; required: boolean }

/**
 * Reads an entry such as `{"type": "number", "required": true, "description": "…"}`; other keywords of JSON Schema
 * (enum, default, items, properties) are kept. A field with a default is not required.
 *
 * @throws Error with the reason, for the author
 */
export function readField(name: string, written: Json): SchemaField {
  const given = typeof written === 'string' ? { type: written } : written
  if (!isObject(given)) throw new Error(`expected {"type": …} for ${name}`)
  const { in: _place, type, required, properties, items, ...rest } = given as JsonObject
  const schema: JsonSchema = { ...typeOf(type, rest), ...rest }
  if (isObject(properties)) Object.assign(schema, fieldsSchema(properties, required))
  if (items !== undefined) schema.items = readField(`${name}[]`, items).schema
  else if (schema.type === 'array') schema.items = {}
  return { schema, required: isTrue(required) && !('default' in rest) }
}

/**
 * Reads the schema of an object as authors write it, `{"name": {"type": "string", "required": true}, …}`, or as JSON
 * Schema, `{"type": "object", "properties": …, "required": […]}`.
 *
 * @throws Error with the reason, for the author
 */
export function readObjectSchema(written: JsonObject): JsonSchema {
  const { type, properties, required, ...rest } = written
  return type === 'object' && isObject(properties)
    ? { type, ...rest, ...fieldsSchema(properties as JsonObject, required) }
    : { type: 'object', ...fieldsSchema(written, undefined) }
}

function fieldsSchema(properties: JsonObject, required: Json | undefined): JsonSchema {
  const listed = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
  const fields = Object.entries(properties).map(([name, written]) => ({ name, ...readField(name, written) }))
  const needed = fields.filter((field) => field.required || listed.includes(field.name))
  return {
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    ...(needed.length > 0 ? { required: needed.map(({ name }) => name) } : {}),
  }
}

function typeOf(type: Json | undefined, rest: JsonObject): JsonSchema {
  if (Array.isArray(type)) return { type }
  if (typeof type === 'string') return { type: TYPES[type.trim().toLowerCase()] ?? 'string' }
  return ['anyOf', 'oneOf', 'allOf', 'enum', 'const'].some((word) => word in rest) ? {} : { type: 'string' }
}

const isTrue = (value: Json | undefined) =>
  value === true || (typeof value === 'string' && /^true$/i.test(value))
