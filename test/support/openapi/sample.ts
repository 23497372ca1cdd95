import type { JsonSchema } from '../../../src/contract/tool.ts'
import { isObject, type Json, type JsonObject } from '../../../src/kit/json.ts'
import { mergeSchemas } from '../../../src/openapi/read/merge.ts'
import { matchingText } from './matching-text.ts'

export type SampleOptions = {
  /** With everything that is optional, or only with what is required. */
  full: boolean
  /** Which of several alternatives to take, modulo their number. */
  choice: number
}

const DEEPEST_OPTIONAL = 4
const DEEPEST = 30

/** A value that a schema of a tool takes, as a model might write it. */
export function sampleOf(schema: JsonSchema, options: SampleOptions, depth = 0): Json {
  if (depth > DEEPEST) return null
  const inner = (schema: JsonSchema) => sampleOf(schema, options, depth + 1)
  const { anyOf, allOf, ...plain } = schema
  if (Array.isArray(allOf))
    return inner(mergeSchemas([plain, ...(allOf as JsonSchema[]), ...(anyOf ? [{ anyOf }] : [])]))
  if (Array.isArray(anyOf) && anyOf.length > 0)
    return inner(mergeSchemas([plain, anyOf[options.choice % anyOf.length] as JsonSchema]))
  if (Array.isArray(schema.enum)) return schema.enum[options.choice % schema.enum.length] ?? null
  if (Array.isArray(schema.examples) && schema.examples.length > 0) return schema.examples[0]!
  switch (typeOf(schema)) {
    case 'object':
      return objectOf(schema, options, depth)
    case 'array':
      return arrayOf(schema, options, inner)
    case 'integer':
    case 'number':
      return numberOf(schema)
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return textOf(schema)
  }
}

const typeOf = ({ type, properties, items }: JsonSchema) => {
  if (Array.isArray(type)) return type.find((one) => one !== 'null') ?? 'null'
  return type ?? (properties ? 'object' : items ? 'array' : 'string')
}

/** A schema that was cut does not describe its content: a value is made up only for a required one. */
const isOpen = (schema: JsonSchema): boolean => {
  if (schema.type === 'array') return !isObject(schema.items) || isOpen(schema.items as JsonSchema)
  if (Array.isArray(schema.anyOf)) return (schema.anyOf as JsonSchema[]).every(isOpen)
  const plain = schema.type === undefined || typeOf(schema) === 'object'
  return plain && schema.enum === undefined && schema.allOf === undefined && !isObject(schema.properties)
}

function objectOf(schema: JsonSchema, options: SampleOptions, depth: number): JsonObject {
  const properties = isObject(schema.properties) ? (schema.properties as Record<string, JsonSchema>) : {}
  const required = Array.isArray(schema.required) ? schema.required.map(String) : []
  const optional = Object.keys(properties).filter(
    (name) => !required.includes(name) && !isOpen(properties[name]!),
  )
  const least = typeof schema.minProperties === 'number' ? schema.minProperties : 0
  const wanted =
    options.full && depth < DEEPEST_OPTIONAL
      ? optional
      : optional.slice(0, Math.max(0, least - required.length))
  const most = typeof schema.maxProperties === 'number' ? schema.maxProperties : Infinity
  const names = [...new Set([...required, ...wanted])].slice(0, Math.max(most, required.length))
  const value = Object.fromEntries(
    names.map((name) => [name, sampleOf(properties[name] ?? {}, options, depth + 1)]),
  )
  const further = isObject(schema.additionalProperties) ? (schema.additionalProperties as JsonSchema) : {}
  for (let count = names.length; count < least; count++)
    value[`key${count}`] = sampleOf(further, options, depth + 1)
  return value
}

function arrayOf(schema: JsonSchema, { full }: SampleOptions, inner: (schema: JsonSchema) => Json): Json[] {
  const prefix = Array.isArray(schema.prefixItems) ? (schema.prefixItems as JsonSchema[]).map(inner) : []
  const items = isObject(schema.items) ? (schema.items as JsonSchema) : {}
  const wanted = full && !isOpen(schema) ? 1 : 0
  const count = Math.max(typeof schema.minItems === 'number' ? schema.minItems : 0, wanted)
  const rest = Array.from({ length: Math.max(0, count - prefix.length) }, (_, index) =>
    different(inner(items), items, index),
  )
  return [...prefix, ...rest]
}

/** Items of a list may have to differ. */
function different(value: Json, schema: JsonSchema, index: number): Json {
  if (index === 0) return value
  if (Array.isArray(schema.enum)) return schema.enum[index % schema.enum.length]!
  if (typeof value === 'number') return value + index
  if (typeof value !== 'string' || schema.format) return value
  const others = [`${value}${index}`, `${value.slice(0, -1)}${index}`, `${index}${value.slice(1)}`]
  const accepts = new RegExp(typeof schema.pattern === 'string' ? schema.pattern : '', 'u')
  return others.find((other) => other !== value && accepts.test(other)) ?? value
}

const isWhole = (schema: JsonSchema) =>
  typeOf(schema) === 'integer' || (typeof schema.format === 'string' && schema.format.startsWith('int'))

function numberOf(schema: JsonSchema): number {
  const step = typeof schema.multipleOf === 'number' ? schema.multipleOf : isWhole(schema) ? 1 : 0.5
  const above = (schema.exclusiveMinimum ?? schema.minimum) as number | undefined
  const below = (schema.exclusiveMaximum ?? schema.maximum) as number | undefined
  if (above === undefined)
    return below === undefined || below > step ? step : Math.floor(below / step) * step - step
  const first = Math.ceil(above / step) * step
  const value = first > above || schema.exclusiveMinimum === undefined ? first : first + step
  return below !== undefined && value > below ? above : value
}

const FORMATS: Record<string, string> = {
  date: '2026-03-01',
  'date-time': '2026-03-01T10:00:00Z',
  time: '10:00:00Z',
  duration: 'P1D',
  uuid: '0b7e1c1c-5d6f-4a39-9e6b-3d9c4f7f2a10',
  email: 'ada@example.com',
  uri: 'https://example.com/a',
  url: 'https://example.com/a',
  iri: 'https://example.com/a',
  'uri-reference': '/a',
  'uri-template': '/a/{b}',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  byte: 'aGVsbG8=',
  binary: 'aGVsbG8=',
  'json-pointer': '/a',
  regex: 'a+',
  int32: '1',
  int64: '1',
  double: '1.5',
  float: '1.5',
}

function textOf(schema: JsonSchema): string {
  const { pattern, format, minLength, maxLength } = schema
  if (typeof pattern === 'string') {
    const text = matchingText(pattern)
    if (text !== undefined) return longEnough(text, pattern, minLength)
  }
  if (typeof format === 'string' && FORMATS[format]) return FORMATS[format]
  if (schema.contentEncoding === 'base64') return 'aGVsbG8='
  const least = typeof minLength === 'number' ? minLength : 0
  const most = typeof maxLength === 'number' ? maxLength : Infinity
  return 'text'.padEnd(least, 'x').slice(0, most)
}

/** Repeats the end of a text as long as the pattern allows it. */
function longEnough(text: string, pattern: string, minLength: unknown): string {
  const least = Math.max(1, typeof minLength === 'number' ? minLength : 0)
  let longer = text
  while (longer.length < least) longer += longer.at(-1) ?? 'a'
  return new RegExp(pattern, 'u').test(longer) ? longer : text
}
