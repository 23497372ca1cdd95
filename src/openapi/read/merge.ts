import type { JsonSchema } from '../../contract/tool.ts'
import { isObject, type Json } from '../../kit/json.ts'

/**
 * Merges schemas that are all required into one: the meaning of `allOf`, for models that do not support it.
 * Descriptions of the first schema win.
 */
export function mergeSchemas(schemas: readonly JsonSchema[]): JsonSchema {
  return schemas.reduce(mergeTwo, {})
}

type Rule = (one: Json, other: Json) => Json

const asNumber = (value: Json) => Number(value)
const largest: Rule = (one, other) => Math.max(asNumber(one), asNumber(other))
const smallest: Rule = (one, other) => Math.min(asNumber(one), asNumber(other))
const list = (value: Json): Json[] => (Array.isArray(value) ? value : [value])
const union: Rule = (one, other) => [...new Set([...list(one), ...list(other)])]
const both: Rule = (one, other) => mergeTwo(one as JsonSchema, other as JsonSchema)

/** If nothing is common, the description is wrong: then the first is used. */
const common: Rule = (one, other) => {
  const texts = new Set(list(other).map((value) => JSON.stringify(value)))
  const shared = list(one).filter((value) => texts.has(JSON.stringify(value)))
  return shared.length > 0 ? shared : one
}

const types: Rule = (one, other) => {
  const [ones, others] = [list(one), list(other)]
  const shared = ones.flatMap((type) => {
    if (others.includes(type)) return [type]
    if (type === 'number' && others.includes('integer')) return ['integer']
    return type === 'integer' && others.includes('number') ? [type] : []
  })
  if (shared.length === 0) return one
  return shared.length === 1 ? shared[0]! : shared
}

const properties: Rule = (one, other) => {
  const merged = new Map(Object.entries(one as Record<string, JsonSchema>))
  for (const [name, schema] of Object.entries(other as Record<string, JsonSchema>))
    merged.set(name, merged.has(name) ? mergeTwo(merged.get(name)!, schema) : schema)
  return Object.fromEntries(merged)
}

/** Further properties are forbidden only if both schemas forbid them: each lists only its own properties. */
const additional: Rule = (one, other) => {
  if (isObject(one) && isObject(other)) return both(one as Json, other as Json)
  if (one === false && other === false) return false
  return isObject(one) ? one : other
}

const RULES: Record<string, Rule> = {
  type: types,
  enum: common,
  required: union,
  properties,
  patternProperties: properties,
  additionalProperties: additional,
  items: both,
  minimum: largest,
  exclusiveMinimum: largest,
  minLength: largest,
  minItems: largest,
  minProperties: largest,
  maximum: smallest,
  exclusiveMaximum: smallest,
  maxLength: smallest,
  maxItems: smallest,
  maxProperties: smallest,
}

/** Keywords whose values cannot be merged if they differ: both are kept in `allOf`. */
const KEEP_BOTH = ['anyOf', 'not', 'pattern', 'multipleOf']

function mergeTwo(one: JsonSchema, other: JsonSchema): JsonSchema {
  const merged: JsonSchema = { ...one }
  // A rule for additional properties does not apply to those that the other schema names.
  if (
    one.additionalProperties === false &&
    other.properties !== undefined &&
    other.additionalProperties !== false
  )
    delete merged.additionalProperties
  for (const [key, value] of Object.entries(other)) {
    const mine = merged[key]
    if (
      key === 'additionalProperties' &&
      value === false &&
      one.properties &&
      one.additionalProperties !== false
    )
      continue
    if (mine === undefined) merged[key] = value
    else if (key === 'allOf') merged.allOf = [...list(mine), ...list(value)]
    else if (RULES[key]) merged[key] = RULES[key](mine, value)
    else if (KEEP_BOTH.includes(key) && JSON.stringify(mine) !== JSON.stringify(value))
      merged.allOf = [...list(merged.allOf ?? []), { [key]: value }]
  }
  return merged
}
