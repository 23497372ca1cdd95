import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { isObject } from '../../../src/kit/json.ts'

type Tree = Record<string, unknown>

/** What is wrong with a value by the schema at a JSON pointer of a description; undefined if nothing is. */
export type Judge = (value: unknown, address: string, pointer: readonly string[]) => string | undefined

/**
 * Checks values by the schemas of descriptions with ajv, which follows their references. Only what OpenAPI
 * means otherwise than JSON Schema is rewritten: null, exclusive limits, and read-only properties, which are not sent.
 *
 * @param documents by address
 */
export function createJudge(documents: Readonly<Record<string, unknown>>): Judge {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: false, logger: false })
  addFormats.default(ajv)
  for (const [address, document] of Object.entries(documents)) ajv.addSchema(plain(document) as Tree, address)
  return (value, address, pointer) => {
    const steps = pointer.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')))
    const validate = compiled(ajv, `${address}#/${steps.join('/')}`)
    // A schema that is missing requires nothing.
    if (!validate) return undefined
    return validate(value) ? undefined : ajv.errorsText(validate.errors)
  }
}

/** A missing document that a description refers to requires nothing. */
function compiled(ajv: Ajv2020, reference: string): ReturnType<Ajv2020['getSchema']> {
  try {
    return ajv.getSchema(reference)
  } catch (error) {
    const { missingSchema } = error as { missingSchema?: string }
    if (!missingSchema || ajv.schemas[missingSchema] || missingSchema.includes('#')) throw error
    ajv.addSchema({}, missingSchema)
    return compiled(ajv, reference)
  }
}

const NAMED = [
  'properties',
  'patternProperties',
  'schemas',
  'definitions',
  'paths',
  '$defs',
  'parameters',
  'headers',
  'requestBodies',
  'responses',
  'content',
  'encoding',
]
/** Fields with values, not schemas: a `$ref` within them is not a reference. */
const DATA = ['example', 'examples', 'default', 'x-examples', 'x-example', 'xml', '$schema', '$id', 'id']

function plain(value: unknown, named = false): unknown {
  if (Array.isArray(value)) return value.map((item) => plain(item))
  if (!isObject(value)) return value
  const copy: Tree = {}
  for (const [key, inner] of Object.entries(value)) {
    if (!named && (DATA.includes(key) || (key.startsWith('x-') && key !== 'x-nullable'))) continue
    if (!named && (key === 'enum' || key === 'const')) copy[key] = inner
    else copy[key] = plain(inner, !named && NAMED.includes(key))
  }
  return named ? copy : meant(copy)
}

/** One schema as JSON Schema has it. */
function meant(schema: Tree): Tree {
  for (const [limit, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    if (typeof schema[exclusive] !== 'boolean') continue
    if (schema[exclusive]) {
      schema[exclusive] = schema[limit]
      delete schema[limit]
    } else delete schema[exclusive]
  }
  if (!Array.isArray(schema.required)) delete schema.required
  // One of them is chosen by its name, not by what else it looks like.
  if (isObject(schema.discriminator) && schema.oneOf !== undefined && schema.anyOf === undefined) {
    schema.anyOf = schema.oneOf
    delete schema.oneOf
  }
  delete schema.discriminator
  if (schema.type === 'file') schema.type = 'string'
  if (typeof schema.pattern === 'string' && !compiles(schema.pattern)) delete schema.pattern
  if (isObject(schema.properties) && Array.isArray(schema.required)) {
    const properties = schema.properties
    schema.required = schema.required.filter((name) => {
      const property = properties[String(name)]
      return !(isObject(property) && property.readOnly === true)
    })
  }
  // A parameter or a media type, which only holds one.
  if ('schema' in schema || 'content' in schema) return schema
  const nullable = schema.nullable === true || schema['x-nullable'] === true
  delete schema.nullable
  delete schema['x-nullable']
  return nullable ? { anyOf: [schema, { type: 'null' }] } : schema
}

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp
  } catch {
    return false
  }
}
