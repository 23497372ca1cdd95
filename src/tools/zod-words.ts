import type { JsonSchema } from '../contract/tool.ts'
import { isObject, type Json, type JsonObject } from '../kit/json.ts'

/** Marks a schema among the arguments of a call, where an object of the author may have any key. */
const DRAFTED: unique symbol = Symbol('drafted')

/** A schema that is being read, and whether the property that has it may be missing. */
export type Drafted = { [DRAFTED]: true; schema: JsonSchema; optional: boolean }

/** A value between the brackets of a call: a schema, a plain value, or a list or an object of both. */
export type ZodArgument = Drafted | Json | ZodArgument[] | { [name: string]: ZodArgument }

const draft = (schema: JsonSchema, optional = false): Drafted => ({ [DRAFTED]: true, schema, optional })

const isDrafted = (value: ZodArgument | undefined): value is Drafted => isObject(value) && DRAFTED in value

const PLAIN: Readonly<Record<string, JsonSchema>> = {
  string: { type: 'string' },
  number: { type: 'number' },
  int: { type: 'integer' },
  bigint: { type: 'integer' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date-time' },
  null: { type: 'null' },
  any: {},
  unknown: {},
  email: { type: 'string', format: 'email' },
  url: { type: 'string', format: 'uri' },
  uuid: { type: 'string', format: 'uuid' },
}

/** The schema of a call that begins with `z.`. @throws Error for a word that is not known */
export function baseSchema(word: string, given: readonly ZodArgument[]): Drafted {
  if (Object.hasOwn(PLAIN, word)) return draft(PLAIN[word]!)
  const [first, second] = given
  switch (word) {
    case 'object':
    case 'strictObject':
    case 'looseObject':
      return draft(objectSchema(named(first), word === 'looseObject'))
    case 'array':
    case 'set':
      return draft({ type: 'array', items: inner(first, word) })
    case 'tuple':
      return draft({ type: 'array', prefixItems: listed(first).map((one) => inner(one, word)) })
    case 'record':
      return draft({ type: 'object', additionalProperties: inner(second ?? first, word) })
    case 'enum':
      return draft({ type: 'string', enum: listed(first).map(String) })
    case 'literal':
      return draft(oneOfValues(Array.isArray(first) ? first : [first]))
    case 'union':
      return draft({ anyOf: listed(first).map((one) => inner(one, word)) })
    case 'discriminatedUnion':
      return draft({ anyOf: listed(second).map((one) => inner(one, word)) })
    case 'intersection':
      return draft({ allOf: [inner(first, word), inner(second, word)] })
    case 'optional':
      return draft(inner(first, word), true)
    case 'nullable':
      return draft(orNull(inner(first, word)))
    default:
      throw new Error(`z.${word} is not known here`)
  }
}

/** Methods that say nothing which a model or a check needs. */
const SILENT = new Set([
  ...['regex', 'trim', 'toLowerCase', 'toUpperCase', 'startsWith', 'endsWith', 'includes', 'finite', 'safe'],
  ...['strict', 'strip', 'readonly', 'brand', 'catch', 'step', 'normalize'],
])
const FORMATS: Readonly<Record<string, string>> = {
  email: 'email',
  url: 'uri',
  uuid: 'uuid',
  datetime: 'date-time',
  date: 'date',
  time: 'time',
}

/** The schema after a method, `.min(1)`. @throws Error for a method that is not known, or that would run code */
export function applyMethod(drafted: Drafted, word: string, given: readonly ZodArgument[]): Drafted {
  const { schema, optional } = drafted
  const [first] = given
  const also = (more: JsonSchema) => draft({ ...schema, ...more }, optional)
  if (SILENT.has(word)) return drafted
  if (Object.hasOwn(FORMATS, word)) return also({ format: FORMATS[word]! })
  switch (word) {
    case 'optional':
    case 'default':
      return draft(schema, true)
    case 'nullish':
      return draft(orNull(schema), true)
    case 'nullable':
      return draft(orNull(schema), optional)
    case 'array':
      return draft({ type: 'array', items: schema })
    case 'describe':
      return typeof first === 'string' ? also({ description: first }) : drafted
    case 'or':
      return draft({ anyOf: [schema, inner(first, word)] }, optional)
    case 'and':
      return draft({ allOf: [schema, inner(first, word)] }, optional)
    case 'int':
      return also({ type: 'integer' })
    case 'positive':
      return also({ exclusiveMinimum: 0 })
    case 'negative':
      return also({ exclusiveMaximum: 0 })
    case 'nonnegative':
      return also({ minimum: 0 })
    case 'nonpositive':
      return also({ maximum: 0 })
    case 'gt':
      return also({ exclusiveMinimum: count(first, word) })
    case 'lt':
      return also({ exclusiveMaximum: count(first, word) })
    case 'min':
    case 'gte':
      return also({ [LIMITS[kindOf(schema)][0]]: count(first, word) })
    case 'max':
    case 'lte':
      return also({ [LIMITS[kindOf(schema)][1]]: count(first, word) })
    case 'length':
      return also(Object.fromEntries(LIMITS[kindOf(schema)].map((name) => [name, count(first, word)])))
    case 'nonempty':
      return also({ [LIMITS[kindOf(schema)][0]]: 1 })
    case 'multipleOf':
      return also({ multipleOf: count(first, word) })
    case 'passthrough':
    case 'loose':
      return also({ additionalProperties: true })
    case 'partial':
      return also({ required: [] })
    case 'required':
      return also({ required: Object.keys(propertiesOf(schema)) })
    case 'extend':
      return draft(joined(schema, objectSchema(named(first), false)), optional)
    case 'merge':
      return draft(joined(schema, inner(first, word)), optional)
    default:
      throw new Error(`.${word}() is not known here`)
  }
}

const LIMITS = {
  text: ['minLength', 'maxLength'],
  list: ['minItems', 'maxItems'],
  number: ['minimum', 'maximum'],
} as const

const kindOf = ({ type }: JsonSchema): keyof typeof LIMITS =>
  type === 'string' ? 'text' : type === 'array' ? 'list' : 'number'

const objectSchema = (properties: Record<string, Drafted>, open: boolean): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(properties).map(([name, { schema }]) => [name, schema])),
  required: Object.entries(properties).flatMap(([name, { optional }]) => (optional ? [] : [name])),
  additionalProperties: open,
})

const propertiesOf = ({ properties }: JsonSchema): JsonObject =>
  isObject(properties) ? (properties as JsonObject) : {}

function joined(schema: JsonSchema, more: JsonSchema): JsonSchema {
  const required = [schema.required, more.required].flatMap((names) => (Array.isArray(names) ? names : []))
  const properties = { ...propertiesOf(schema), ...propertiesOf(more) }
  return { ...schema, properties, required: [...new Set(required)] }
}

const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] })

function oneOfValues(values: readonly (ZodArgument | undefined)[]): JsonSchema {
  const types = new Set(values.map((value) => (value === null ? 'null' : typeof value)))
  const [type] = types
  return { ...(types.size === 1 ? { type: type! } : {}), enum: values as Json[] }
}

function inner(value: ZodArgument | undefined, word: string): JsonSchema {
  if (!isDrafted(value)) throw new Error(`${word} needs a schema between its brackets`)
  return value.schema
}

function named(value: ZodArgument | undefined): Record<string, Drafted> {
  if (!isObject(value) || DRAFTED in value) throw new Error('object needs { name: schema }')
  const entries = Object.entries(value as Record<string, ZodArgument>)
  const wrong = entries.find(([, one]) => !isDrafted(one))
  if (wrong) throw new Error(`${wrong[0]} is no schema`)
  return Object.fromEntries(entries) as Record<string, Drafted>
}

function listed(value: ZodArgument | undefined): ZodArgument[] {
  if (!Array.isArray(value)) throw new Error('a list [ ] is needed between the brackets')
  return value
}

function count(value: ZodArgument | undefined, word: string): number {
  if (typeof value !== 'number') throw new Error(`.${word}() needs a number`)
  return value
}
