import type { JsonSchema } from '../contract/tool.ts'
import { isObject } from '../kit/json.ts'

/**
 * Whether a schema can be sent to OpenAI as strict: every object requires all its properties and allows no others.
 * OpenAI refuses other schemas in strict mode.
 */
export function isStrictSchema(schema: JsonSchema): boolean {
  if (schema.type === 'object' || isObject(schema.properties)) {
    const names = Object.keys(isObject(schema.properties) ? schema.properties : {})
    const required = Array.isArray(schema.required) ? schema.required : []
    if (schema.additionalProperties !== false || !names.every((name) => required.includes(name))) return false
  }
  return subschemas(schema).every(isStrictSchema)
}

const subschemas = (schema: JsonSchema): JsonSchema[] =>
  [
    ...(isObject(schema.properties) ? Object.values(schema.properties) : []),
    schema.items,
    ...[schema.anyOf, schema.allOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? list : [])),
  ].filter((value): value is JsonSchema => isObject(value))
