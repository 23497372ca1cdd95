import { z } from 'zod'
import { isObject } from '../../kit/json.ts'

type Schema = Record<string, unknown>

/**
 * The JSON schema of a shape. Descriptions and examples are those that the shape gives its fields with `.meta()`. No schema
 * in it is empty, and a field whose values are listed has an example.
 */
export function describedSchema(shape: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, {
    io,
    unrepresentable: 'any',
    // zod leaves out the examples of an input that is transformed; ours are values that a client sends.
    override: ({ zodSchema, jsonSchema }) => {
      const { examples } = z.globalRegistry.get(zodSchema) ?? {}
      if (Array.isArray(examples)) jsonSchema.examples = examples
    },
  })
  return completed(schema) as Schema
}

/** Any JSON value. */
const ANY_JSON = { type: ['object', 'array', 'string', 'number', 'boolean', 'null'] }

/** Keywords whose value is a schema, and those whose value is a list of schemas. */
const SCHEMA_KEYWORDS = ['items', 'not', 'propertyNames']
const SCHEMA_LIST_KEYWORDS = ['anyOf', 'oneOf', 'allOf', 'prefixItems']

function completed(schema: unknown): unknown {
  if (!isObject(schema)) return schema
  const { description, examples, ...type } = schema as Schema
  if (Object.keys(type).length === 0) return { ...ANY_JSON, ...schema }
  const result: Schema = { ...schema }
  for (const keyword of SCHEMA_KEYWORDS) if (keyword in schema) result[keyword] = completed(schema[keyword])
  for (const keyword of SCHEMA_LIST_KEYWORDS) {
    const list = schema[keyword]
    if (Array.isArray(list)) result[keyword] = list.map(completed)
  }
  // `true` has the meaning of an empty schema: any further fields.
  if (isObject(schema.additionalProperties))
    result.additionalProperties =
      Object.keys(schema.additionalProperties).length === 0 ? true : completed(schema.additionalProperties)
  if (isObject(schema.properties))
    result.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, field]) => [
        name,
        withExample(completed(field) as Schema),
      ]),
    )
  return result
}

/** Adds an example to a field whose type lists its values. */
function withExample(field: Schema): Schema {
  const example = listedValue(field)
  return 'examples' in field || example === undefined ? field : { ...field, examples: [example] }
}

/** The first of the values that a type lists; undefined for a type with any number of values. */
function listedValue({ const: only, enum: values, type, anyOf }: Schema): unknown {
  if (only !== undefined) return only
  if (Array.isArray(values)) return values[0]
  if ([type].flat()[0] === 'boolean') return true
  return Array.isArray(anyOf) ? listedValue(anyOf[0] as Schema) : undefined
}
