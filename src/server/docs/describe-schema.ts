import { z } from 'zod'
import { isObject } from '../../kit/json.ts'
import { fieldDoc } from './field-docs.ts'

type Schema = Record<string, unknown>

/** The part of a request or answer that a schema belongs to. */
export type SchemaPart = 'path' | 'query' | 'header' | 'body' | 'answer' | 'failure'

/** The JSON schema of a shape, each field with its description and an example. No schema in it is empty. */
export function describedSchema(shape: z.ZodType, io: 'input' | 'output', part: SchemaPart): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { io, unrepresentable: 'any' })
  return described(schema, part) as Schema
}

/** Any JSON value. */
const ANY_JSON = { type: ['object', 'array', 'string', 'number', 'boolean', 'null'] }

/** Keywords whose value is a schema, and those whose value is a list of schemas. */
const SCHEMA_KEYWORDS = ['items', 'not', 'propertyNames']
const SCHEMA_LIST_KEYWORDS = ['anyOf', 'oneOf', 'allOf', 'prefixItems']

/** Adds descriptions and examples. `parent` is the name of the field that the schema belongs to, or the part. */
function described(schema: unknown, parent: SchemaPart | (string & {})): unknown {
  if (!isObject(schema)) return schema
  if (Object.keys(schema).length === 0) return ANY_JSON
  const result: Schema = { ...schema }
  for (const keyword of SCHEMA_KEYWORDS)
    if (keyword in schema) result[keyword] = described(schema[keyword], parent)
  for (const keyword of SCHEMA_LIST_KEYWORDS) {
    const list = schema[keyword]
    if (Array.isArray(list)) result[keyword] = list.map((item) => described(item, parent))
  }
  // `true` has the meaning of an empty schema: any further fields.
  if (isObject(schema.additionalProperties))
    result.additionalProperties =
      Object.keys(schema.additionalProperties).length === 0
        ? true
        : described(schema.additionalProperties, parent)
  if (isObject(schema.properties))
    result.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, field]) => [
        name,
        withDoc(described(field, name) as Schema, parent, name),
      ]),
    )
  return result
}

/** Adds the description and example of the field; those of its shape have precedence. */
function withDoc(field: Schema, parent: string, name: string): Schema {
  const doc = fieldDoc(parent, name)
  if (!doc) return field
  const [description, example] = doc
  return { description, ...field, ...('examples' in field ? {} : { examples: [example] }) }
}
