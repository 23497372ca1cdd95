import { z } from 'zod'
import { isObject } from '../../kit/json.ts'
import { fieldDoc } from './fields.ts'

type Schema = Record<string, unknown>

/** The place of a schema: the field that holds it, or the part of the request or the answer. */
export type Place = 'path' | 'query' | 'header' | 'body' | 'answer'

/**
 * The JSON schema of a shape, each field with what it means and an example. What may be any JSON says so: it is never
 * an empty schema.
 */
export function describedSchema(shape: z.ZodType, io: 'input' | 'output', place: Place): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { io, unrepresentable: 'any' })
  return described(schema, place) as Schema
}

/** Any JSON value. */
export const ANY_JSON = { type: ['object', 'array', 'string', 'number', 'boolean', 'null'] }

/** Keywords that hold a schema, and those that hold a list of them. */
const ONE = ['items', 'not', 'propertyNames']
const SEVERAL = ['anyOf', 'oneOf', 'allOf', 'prefixItems']

export function described(schema: unknown, parent: string): unknown {
  if (!isObject(schema)) return schema
  if (Object.keys(schema).length === 0) return ANY_JSON
  const result: Schema = { ...schema }
  for (const key of ONE) if (key in schema) result[key] = described(schema[key], parent)
  for (const key of SEVERAL)
    if (Array.isArray(schema[key])) result[key] = schema[key].map((one) => described(one, parent))
  // True says the same as an empty schema, and says it plainly: any further fields.
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

/** A field with its meaning and its example; what its shape says of itself wins. */
export function withDoc(field: Schema, parent: string, name: string): Schema {
  const doc = fieldDoc(parent, name)
  if (!doc) return field
  const [description, example] = doc
  return { description, ...field, ...('examples' in field ? {} : { examples: [example] }) }
}
