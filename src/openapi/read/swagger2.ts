import { isObject } from '../../kit/json.ts'
import type { Located } from './references.ts'

type Tree = Record<string, unknown>

/** An operation in the terms of OpenAPI 3, whatever the version of its description. */
export type OpenApi3Operation = {
  parameters: Located[]
  requestBody: Located | undefined
  servers: unknown
  security: unknown
}

/** Keys of a Swagger 2.0 parameter that are not part of its schema. */
const NO_SCHEMA = ['name', 'in', 'required', 'description', 'collectionFormat', 'allowEmptyValue']

const COLLECTIONS: Record<string, { style: string; explode: boolean }> = {
  csv: { style: 'form', explode: false },
  ssv: { style: 'spaceDelimited', explode: false },
  tsv: { style: 'tabDelimited', explode: false },
  pipes: { style: 'pipeDelimited', explode: false },
  multi: { style: 'form', explode: true },
}

/** Converts an operation of Swagger 2.0 to OpenAPI 3: body and form fields become its request body. */
export function toOpenApi3Operation(
  operation: Tree,
  parameters: readonly Located[],
  root: Tree,
  at: string,
): OpenApi3Operation {
  const placed = (place: string) => parameters.filter(({ value }) => isObject(value) && value.in === place)
  const others = parameters.filter(
    ({ value }) => !isObject(value) || (value.in !== 'body' && value.in !== 'formData'),
  )
  const consumes = listOf(operation.consumes ?? root.consumes).filter((type) => typeof type === 'string')
  const [body] = placed('body')
  const fields = placed('formData').map(({ value }) => value as Tree)
  return {
    parameters: others.map(({ value, at }) => ({
      value: isObject(value) ? toOpenApi3Parameter(value) : value,
      at,
    })),
    requestBody: body ? bodyOf(body, consumes) : fields.length > 0 ? formOf(fields, consumes, at) : undefined,
    servers: operation.schemes === undefined ? undefined : toOpenApi3Servers(root, operation.schemes),
    security: operation.security,
  }
}

function toOpenApi3Parameter(parameter: Tree): Tree {
  const { name, in: place, required, description } = parameter
  return {
    name,
    in: place,
    required,
    description,
    schema: schemaOf(parameter),
    ...(serializationOf(parameter) ?? {}),
  }
}

function serializationOf(parameter: Tree): { style: string; explode: boolean } | undefined {
  if (parameter.type !== 'array') return undefined
  const named = COLLECTIONS[String(parameter.collectionFormat ?? 'csv')] ?? COLLECTIONS.csv!
  const inline = parameter.in === 'path' || parameter.in === 'header'
  return inline && named.style === 'form' ? { style: 'simple', explode: false } : named
}

const schemaOf = (parameter: Tree): Tree =>
  Object.fromEntries(Object.entries(parameter).filter(([key]) => !NO_SCHEMA.includes(key)))

function bodyOf({ value, at }: Located, consumes: readonly string[]): Located {
  const { schema, required, description } = value as Tree
  const types = consumes.length > 0 ? consumes : ['application/json']
  return {
    value: { required, description, content: Object.fromEntries(types.map((type) => [type, { schema }])) },
    at,
  }
}

function formOf(fields: readonly Tree[], consumes: readonly string[], at: string): Located {
  const hasFile = fields.some((field) => field.type === 'file')
  const fallback = hasFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded'
  const type = consumes.find((type) =>
    (hasFile ? /^multipart\//i : /^(multipart\/|application\/x-www-form)/i).test(type),
  )
  const properties = fields.map((field) => [
    field.name,
    { ...schemaOf(field), description: field.description },
  ])
  const required = fields.filter((field) => field.required === true).map((field) => field.name)
  const encoding = fields.flatMap((field) => {
    const serialization = serializationOf(field)
    return serialization ? [[field.name, serialization]] : []
  })
  const schema = { type: 'object', properties: Object.fromEntries(properties), required }
  const content = { [type ?? fallback]: { schema, encoding: Object.fromEntries(encoding) } }
  return { value: { required: required.length > 0, content }, at }
}

/** Schemes, host and base path as server addresses; without a host they are relative to the description. */
export function toOpenApi3Servers(root: Tree, schemes: unknown = root.schemes): Tree[] {
  const { host, basePath } = root
  const path = typeof basePath === 'string' ? `/${basePath.replace(/^\/+/, '')}` : '/'
  if (typeof host !== 'string' || host === '') return [{ url: path }]
  // The first server is the one that is used, and https is preferred if it is offered.
  const offered = listOf(schemes).filter((scheme) => scheme === 'https' || scheme === 'http')
  const sorted = offered.length === 0 ? ['https'] : offered.toSorted().reverse()
  return sorted.map((scheme) => ({ url: `${scheme}://${host}${path}` }))
}

/** Security definitions in the terms of OpenAPI 3. */
export function toOpenApi3Schemes(root: Tree): Tree {
  const definitions = isObject(root.securityDefinitions) ? root.securityDefinitions : {}
  return Object.fromEntries(
    Object.entries(definitions).map(([name, definition]) => [
      name,
      isObject(definition) && definition.type === 'basic' ? { type: 'http', scheme: 'basic' } : definition,
    ]),
  )
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
