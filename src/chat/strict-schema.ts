import type { JsonSchema } from '../contract/tool.ts'
import { isObject } from '../kit/json.ts'

/**
 * Whether a provider can hold its model to a schema to the letter: every object names all that it may hold, and asks for
 * all of it. (OpenAI refuses any other schema as a strict one.)
 */
export function isStrictSchema(schema: JsonSchema): boolean {
  if (schema.type === 'object' || isObject(schema.properties)) {
    const names = Object.keys(isObject(schema.properties) ? schema.properties : {})
    const required = Array.isArray(schema.required) ? schema.required : []
    if (schema.additionalProperties !== false || !names.every((name) => required.includes(name))) return false
  }
  return inner(schema).every(isStrictSchema)
}

const inner = (schema: JsonSchema): JsonSchema[] =>
  [
    ...(isObject(schema.properties) ? Object.values(schema.properties) : []),
    schema.items,
    ...[schema.anyOf, schema.allOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? list : [])),
  ].filter((value): value is JsonSchema => isObject(value))
