import type { JsonSchema } from '../../contract/tool.ts'
import { isObject, type Json } from '../../kit/json.ts'

/**
 * A schema without the properties marked `readOnly`: a request must not have them, even if they are required. This
 * runs after merging, because only then all required properties are known.
 */
export function withoutReadOnly(schema: JsonSchema): JsonSchema {
  const plain: JsonSchema = { ...schema }
  if (isObject(plain.properties)) {
    const entries = Object.entries(plain.properties as Record<string, JsonSchema>)
    const hidden = new Set(entries.filter(([, property]) => property.readOnly === true).map(([name]) => name))
    plain.properties = Object.fromEntries(
      entries
        .filter(([name]) => !hidden.has(name))
        .map(([name, property]) => [name, withoutReadOnly(property)]),
    )
    if (Array.isArray(plain.required) && hidden.size > 0) {
      plain.required = plain.required.filter((name) => !hidden.has(name as string))
      if (plain.required.length === 0) delete plain.required
    }
  }
  for (const key of ['items', 'additionalProperties', 'not']) {
    const inner = plain[key]
    if (isObject(inner)) plain[key] = withoutReadOnly(inner as JsonSchema)
  }
  for (const key of ['anyOf', 'allOf', 'prefixItems']) {
    const inner = plain[key]
    if (Array.isArray(inner))
      plain[key] = inner.map((part) =>
        isObject(part) ? withoutReadOnly(part as JsonSchema) : (part as Json),
      )
  }
  return plain
}
