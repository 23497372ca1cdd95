import type { JsonSchema } from '../../contract/tool.ts'
import { isObject, type Json } from '../../kit/json.ts'
import { mergeSchemas } from './merge.ts'
import { type References, refOf } from './references.ts'
import { withoutReadOnly } from './read-only.ts'
import { plainKeywords } from './schema-keywords.ts'

export type SchemaContext = {
  references: References
  /** Results by schema: descriptions use one schema in many places. */
  known: WeakMap<object, Told>
  /** Called once for each kind of thing that a schema says and the model does not see. */
  note(reason: string): void
}

/**
 * How much of a schema the model sees; the next row applies where the result is too long: how deep optional properties go, how deep
 * anything, how many values of a list, how many letters of a description.
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

/** Of one part of an input, in characters of JSON: some 4,000 tokens. */
const LONGEST = 16_000
const MAX_SCHEMAS = 2000

class TooLarge extends Error {}

/**
 * A schema of a description (OpenAPI 2.0 to 3.2) as one that stands by itself and that providers take: references
 * written out, `allOf` merged, `oneOf` as `anyOf`, without what only the server writes (`readOnly`). What refers to
 * itself is cut where it recurs, and where the result is too long only required parts are kept.
 */
export function toModelSchema(schema: unknown, at: string, context: SchemaContext): JsonSchema {
  const key = keyOf(schema, at, context.references)
  const told = (key && context.known.get(key)) ?? tell(schema, at, context.references)
  if (key) context.known.set(key, told)
  for (const note of told.notes) context.note(note)
  return told.schema
}

type Told = { schema: JsonSchema; notes: string[] }

/** What a schema is known by: itself, or what it refers to where it only does that. */
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

function tell(schema: unknown, at: string, references: References): Told {
  for (const detail of DETAILS) {
    const notes = new Set<string>()
    try {
      const told = writeSchema(schema, at, detail, references, (note) => notes.add(note))
      const plain = withoutReadOnly(told)
      if (JSON.stringify(plain).length <= LONGEST) return { schema: plain, notes: [...notes] }
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error
    }
  }
  return { schema: {}, notes: ['a schema is too large for a model: it has to guess the input'] }
}

type Walk = {
  at: string
  /** How many optional steps lead here. */
  depth: number
  /** How many steps of all. */
  steps: number
  /** The schemas that this one stands in. */
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

  function write(schema: unknown, walk: Walk): JsonSchema {
    count += 1
    if (count > MAX_SCHEMAS) throw new TooLarge()
    if (schema === undefined || schema === true) return {}
    if (schema === false) return { not: {} }
    if (!isObject(schema)) {
      note('a schema that is none is left out')
      return {}
    }
    return refOf(schema) === undefined ? writeOwn(schema, walk) : writeReferred(schema, walk)
  }

  function writeReferred(schema: Record<string, unknown>, walk: Walk): JsonSchema {
    const { $ref, $dynamicRef, ...beside } = schema
    const found = followed(schema, walk.at)
    if (!found) return {}
    const own = plainKeywords(beside, detail)
    if (walk.inside.includes(found.value)) return { ...typeOnly(found.value), ...own }
    const inside = [...walk.inside, found.value]
    const told = write(found.value, { ...walk, at: found.at, inside })
    const structured = STRUCTURE.some((key) => key in beside)
    return mergeSchemas([structured ? writeOwn(beside, walk) : own, told])
  }

  function writeOwn(schema: Record<string, unknown>, walk: Walk): JsonSchema {
    const own = plainKeywords(schema, detail)
    for (const key of LEFT_OUT)
      if (key in schema && !saysNothing(schema[key]))
        note(`the keyword ${key} of a schema is not shown to the model`)
    const inner = walk.steps > detail.steps ? {} : writeInner(schema, walk)
    const described: JsonSchema = own.type === undefined ? { ...impliedType(schema), ...own } : own
    const all = listOf(schema.allOf).map((part) => write(part, walk))
    return mergeSchemas([{ ...described, ...inner }, ...all, ...alternatives(schema, walk)])
  }

  /** What a schema says of what is inside of a value. */
  function writeInner(schema: Record<string, unknown>, walk: Walk): JsonSchema {
    const inner: JsonSchema = {}
    if (isObject(schema.properties))
      Object.assign(inner, writeProperties(schema.properties, schema.required, walk))
    else if (Array.isArray(schema.required)) inner.required = texts(schema.required)
    const deeper = { ...walk, depth: walk.depth + 1, steps: walk.steps + 1 }
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

  function writeProperties(properties: Record<string, unknown>, required: unknown, walk: Walk): JsonSchema {
    const needed = new Set(Array.isArray(required) ? texts(required) : [])
    const told: [string, JsonSchema][] = []
    for (const [name, property] of Object.entries(properties)) {
      if (isReadOnly(property, walk.at)) {
        told.push([name, { readOnly: true }])
        continue
      }
      // So it was written before OpenAPI.
      if (isObject(property) && property.required === true) needed.add(name)
      // Beyond the depth only required properties are kept: without them no input would be valid.
      if (walk.depth > detail.depth && !needed.has(name)) continue
      const depth = needed.has(name) ? walk.depth : walk.depth + 1
      told.push([name, write(property, { ...walk, depth, steps: walk.steps + 1 })])
    }
    return {
      properties: Object.fromEntries(told),
      ...(needed.size > 0 ? { required: [...needed] } : {}),
    }
  }

  /** `oneOf` and `anyOf`, each as an `anyOf`; with a discriminator each member says its own name. */
  function alternatives(schema: Record<string, unknown>, walk: Walk): JsonSchema[] {
    return ['oneOf', 'anyOf'].flatMap((key) => {
      const members = listOf(schema[key])
      if (members.length === 0) return []
      const deeper = { ...walk, steps: walk.steps + 1 }
      if (deeper.steps > detail.steps) return []
      const told = members.map((member) => {
        const written = write(member, deeper)
        const mark = discriminated(schema.discriminator, member)
        // Where it says its own name already, that is the one.
        return mark ? mergeSchemas([written, mark]) : written
      })
      return [told.length === 1 ? told[0]! : { anyOf: told }]
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

/** That the names of properties are texts goes without saying. */
const saysNothing = (schema: unknown) =>
  isObject(schema) && schema.type === 'string' && Object.keys(schema).length === 1

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const texts = (values: unknown[]): string[] => values.filter((value) => typeof value === 'string')

/** What stands where a schema would come back inside of itself. */
const typeOnly = (schema: unknown): JsonSchema =>
  isObject(schema)
    ? { ...impliedType(schema), ...plainKeywords({ type: schema.type }, { values: 0, letters: 0 }) }
    : {}

function impliedType(schema: Record<string, unknown>): JsonSchema {
  if (isObject(schema.properties) || isObject(schema.additionalProperties)) return { type: 'object' }
  return schema.items === undefined && schema.prefixItems === undefined ? {} : { type: 'array' }
}

/** The value that tells a member from the others: as it is mapped, or the last part of the reference. */
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
