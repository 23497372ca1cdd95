import type { JsonSchema } from '../../contract/tool.ts'
import { isObject, type Json } from '../../kit/json.ts'
import { mergeSchemas } from './merge.ts'
import { type References, refOf } from './references.ts'
import { withoutReadOnly } from './read-only.ts'
import { plainKeywords } from './schema-keywords.ts'

export type SchemaContext = {
  references: References
  /** Results by schema, because descriptions use one schema in many places. */
  known: WeakMap<object, ModelSchema>
  /** Called for each kind of keyword that the model does not see. */
  note(reason: string): void
}

/**
 * How much of a schema the model sees; if the result is too long, the next row is used. `depth`: levels of optional
 * properties; `steps`: levels of all; `values`: values of a list; `letters`: characters of a description.
 */
type Detail = { depth: number; steps: number; values: number; letters: number }

const DETAILS: readonly Detail[] = [
  { depth: 8, steps: 24, values: 250, letters: 500 },
  { depth: 5, steps: 16, values: 100, letters: 250 },
  { depth: 3, steps: 12, values: 50, letters: 150 },
  { depth: 2, steps: 10, values: 20, letters: 80 },
  { depth: 1, steps: 8, values: 10, letters: 40 },
  { depth: 0, steps: 6, values: 10, letters: 0 },
  { depth: 0, steps: 1, values: 10, letters: 0 },
]

/** The longest schema of one part of an input, in characters of JSON: about 4,000 tokens. */
const LONGEST = 16_000
const MAX_SCHEMAS = 2000

class TooLarge extends Error {}

/**
 * Converts a schema of a description (OpenAPI 2.0 to 3.2) to one that is self-contained and accepted by providers:
 * references are resolved, `allOf` is merged, `oneOf` becomes `anyOf`, and properties that only the server writes
 * (`readOnly`) are left out. A recursive schema is cut where it recurs. If the result is too long, only required
 * parts are kept.
 */
export function toModelSchema(schema: unknown, at: string, context: SchemaContext): JsonSchema {
  const key = keyOf(schema, at, context.references)
  const result = (key && context.known.get(key)) ?? convert(schema, at, context.references)
  if (key) context.known.set(key, result)
  for (const note of result.notes) context.note(note)
  return result.schema
}

type ModelSchema = { schema: JsonSchema; notes: string[] }

/** The key of a schema in the cache: itself, or the target if it is only a reference. */
function keyOf(schema: unknown, at: string, references: References): object | undefined {
  if (!isObject(schema)) return undefined
  if (typeof schema.$ref !== 'string' || Object.keys(schema).length > 1) return schema
  try {
    const { value } = references.follow(schema, at)
    return isObject(value) ? value : schema
  } catch {
    return schema
  }
}

function convert(schema: unknown, at: string, references: References): ModelSchema {
  for (const detail of DETAILS) {
    const notes = new Set<string>()
    try {
      const result = writeSchema(schema, at, detail, references, (note) => notes.add(note))
      const plain = withoutReadOnly(result)
      if (JSON.stringify(plain).length <= LONGEST) return { schema: plain, notes: [...notes] }
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error
    }
  }
  return { schema: {}, notes: ['a schema is too large for a model: it is left out'] }
}

type Position = {
  at: string
  /** Optional levels above this one. */
  depth: number
  /** All levels above this one. */
  steps: number
  /** The schemas that contain this one. */
  inside: readonly unknown[]
}

function writeSchema(
  schema: unknown,
  at: string,
  detail: Detail,
  references: References,
  note: (reason: string) => void,
) {
  let count = 0
  return write(schema, { at, depth: 0, steps: 0, inside: [] })

  function write(schema: unknown, position: Position): JsonSchema {
    count += 1
    if (count > MAX_SCHEMAS) throw new TooLarge()
    if (schema === undefined || schema === true) return {}
    if (schema === false) return { not: {} }
    if (!isObject(schema)) {
      note('an invalid schema is left out')
      return {}
    }
    return refOf(schema) === undefined ? writeOwn(schema, position) : writeReference(schema, position)
  }

  function writeReference(schema: Record<string, unknown>, position: Position): JsonSchema {
    const { $ref, $dynamicRef, ...siblings } = schema
    const found = followed(schema, position.at)
    if (!found) return {}
    const own = plainKeywords(siblings, detail)
    if (position.inside.includes(found.value)) return { ...typeOnly(found.value), ...own }
    const inside = [...position.inside, found.value]
    const result = write(found.value, { ...position, at: found.at, inside })
    const structured = STRUCTURE.some((key) => key in siblings)
    return mergeSchemas([structured ? writeOwn(siblings, position) : own, result])
  }

  function writeOwn(schema: Record<string, unknown>, position: Position): JsonSchema {
    const own = plainKeywords(schema, detail)
    for (const key of LEFT_OUT)
      if (key in schema && !isTrivial(schema[key]))
        note(`the keyword ${key} of a schema is not shown to the model`)
    const inner = position.steps > detail.steps ? {} : writeContents(schema, position)
    const described: JsonSchema = own.type === undefined ? { ...impliedType(schema), ...own } : own
    const all = listOf(schema.allOf).map((part) => write(part, position))
    return mergeSchemas([{ ...described, ...inner }, ...all, ...alternatives(schema, position)])
  }

  /** The keywords of a schema about the inside of a value. */
  function writeContents(schema: Record<string, unknown>, position: Position): JsonSchema {
    const inner: JsonSchema = {}
    if (isObject(schema.properties))
      Object.assign(inner, writeProperties(schema.properties, schema.required, position))
    else if (Array.isArray(schema.required)) inner.required = texts(schema.required)
    const deeper = { ...position, depth: position.depth + 1, steps: position.steps + 1 }
    const { additionalProperties, items, prefixItems, not, patternProperties } = schema
    if (typeof additionalProperties === 'boolean') inner.additionalProperties = additionalProperties
    else if (isObject(additionalProperties)) inner.additionalProperties = write(additionalProperties, deeper)
    if (isObject(patternProperties))
      inner.patternProperties = Object.fromEntries(
        Object.entries(patternProperties).map(([pattern, value]) => [pattern, write(value, deeper)]),
      )
    if (Array.isArray(items)) inner.prefixItems = items.map((item) => write(item, deeper))
    else if (items === false) inner.items = false
    else if (isObject(items)) inner.items = write(items, deeper)
    if (Array.isArray(prefixItems)) inner.prefixItems = prefixItems.map((item) => write(item, deeper))
    if (isObject(not)) inner.not = write(not, deeper)
    return inner
  }

  function writeProperties(
    properties: Record<string, unknown>,
    required: unknown,
    position: Position,
  ): JsonSchema {
    const requiredNames = new Set(Array.isArray(required) ? texts(required) : [])
    const result: [string, JsonSchema][] = []
    for (const [name, property] of Object.entries(properties)) {
      if (isReadOnly(property, position.at)) {
        result.push([name, { readOnly: true }])
        continue
      }
      // The notation before JSON Schema draft 4.
      if (isObject(property) && property.required === true) requiredNames.add(name)
      // Beyond the depth only required properties are kept: without them no input would be valid.
      if (position.depth > detail.depth && !requiredNames.has(name)) continue
      const depth = requiredNames.has(name) ? position.depth : position.depth + 1
      result.push([name, write(property, { ...position, depth, steps: position.steps + 1 })])
    }
    return {
      properties: Object.fromEntries(result),
      ...(requiredNames.size > 0 ? { required: [...requiredNames] } : {}),
    }
  }

  /** `oneOf` and `anyOf`, both as `anyOf`; with a discriminator each member has its own name as a constant. */
  function alternatives(schema: Record<string, unknown>, position: Position): JsonSchema[] {
    return ['oneOf', 'anyOf'].flatMap((key) => {
      const members = listOf(schema[key])
      if (members.length === 0) return []
      const deeper = { ...position, steps: position.steps + 1 }
      if (deeper.steps > detail.steps) return []
      const result = members.map((member) => {
        const written = write(member, deeper)
        const mark = discriminated(schema.discriminator, member)
        // If the member already has its name, that one is used.
        return mark ? mergeSchemas([written, mark]) : written
      })
      return [result.length === 1 ? result[0]! : { anyOf: result }]
    })
  }

  function followed(value: unknown, at: string) {
    try {
      return references.follow(value, at)
    } catch (error) {
      note((error as Error).message)
      return undefined
    }
  }

  function isReadOnly(property: unknown, at: string): boolean {
    if (!isObject(property)) return false
    if (property.readOnly === true) return true
    const target = refOf(property) === undefined ? undefined : followed(property, at)?.value
    return isObject(target) && target.readOnly === true
  }
}

const STRUCTURE = [
  'properties',
  'required',
  'items',
  'allOf',
  'anyOf',
  'oneOf',
  'additionalProperties',
  'not',
]
const LEFT_OUT = ['if', 'dependentSchemas', 'dependencies', 'contains', 'propertyNames', 'unevaluatedItems']

/** Property names are texts anyway. */
const isTrivial = (schema: unknown) =>
  isObject(schema) && schema.type === 'string' && Object.keys(schema).length === 1

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const texts = (values: unknown[]): string[] => values.filter((value) => typeof value === 'string')

/** Replaces a schema that recurs inside itself. */
const typeOnly = (schema: unknown): JsonSchema =>
  isObject(schema)
    ? { ...impliedType(schema), ...plainKeywords({ type: schema.type }, { values: 0, letters: 0 }) }
    : {}

function impliedType(schema: Record<string, unknown>): JsonSchema {
  if (isObject(schema.properties) || isObject(schema.additionalProperties)) return { type: 'object' }
  return schema.items === undefined && schema.prefixItems === undefined ? {} : { type: 'array' }
}

/** The discriminator value of a member: as mapped, or the last part of the reference. */
function discriminated(discriminator: unknown, member: unknown): JsonSchema | undefined {
  const reference = refOf(member)
  if (!isObject(discriminator) || reference === undefined) return undefined
  const { propertyName, mapping } = discriminator
  if (typeof propertyName !== 'string') return undefined
  const name = reference.slice(reference.lastIndexOf('/') + 1)
  const mapped = Object.entries(isObject(mapping) ? mapping : {})
    .filter(([, target]) => target === reference || target === name)
    .map(([value]): Json => value)
  return {
    type: 'object',
    properties: { [propertyName]: { type: 'string', enum: mapped.length > 0 ? mapped : [name] } },
    required: [propertyName],
  }
}
