import type { JsonSchema, Tool } from '../contract/tool.ts'
import type { Egress } from '../kit/egress/client.ts'
import { isObject, type Json, type JsonObject } from '../kit/json.ts'
import { callForModel, showRequest, type HttpCall } from './call.ts'
import { secretsIn } from './request-headers.ts'
import { readObjectSchema, readField } from './written-schema.ts'

export const REQUEST_METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const
export type RequestMethod = (typeof REQUEST_METHODS)[number]

/** A request as its author configured it; the model gives the open values. */
export type RequestPlan = {
  method: RequestMethod
  name: string
  description: string
  /** Address with placeholders `:id` or `{id}` in its path. */
  url: string
  /** Sent with every call; never shown to the model. */
  headers: Record<string, string>
  /** The parameters that the model may give; if absent, the model may add any query parameter to a GET or DELETE. */
  parameters?: JsonObject | undefined
  /** Always sent: an object overrides the fields of the model, any other value replaces its body. */
  body?: Json | undefined
  /** The fields that the model may write. */
  bodySchema?: JsonObject | undefined
  /** The most characters of an answer that the model reads. */
  maxCharacters: number
}

const FREE_QUERY: JsonSchema = { type: 'object', additionalProperties: { type: 'string' } }
const FREE_BODY: JsonSchema = { type: 'object' }

/**
 * A request as a tool: the model gives `queryParams` (including parts of the path) and `body`, each by its schema.
 *
 * @throws Error for an inconsistent plan, with the reason for the author
 */
export function requestTool(plan: RequestPlan, egress: Egress): Tool {
  const { method, name, description, url, maxCharacters } = plan
  const parameters = readRequestParameters(plan.parameters ?? {}, url, method)
  const takesBody = !['GET', 'DELETE'].includes(method)
  const takesAnyQuery = parameters.length === 0 && !takesBody && plan.parameters === undefined
  const inputs: Inputs = {
    ...(parameters.length > 0 ? { queryParams: parametersInput(parameters) } : {}),
    ...(takesAnyQuery ? { queryParams: { schema: FREE_QUERY, required: false } } : {}),
    ...(takesBody ? bodyInput(plan) : {}),
  }
  const secrets = secretsIn(plan.headers, url)

  function write(input: JsonObject): HttpCall {
    const values = objectIn(input, 'queryParams')
    const known = takesAnyQuery ? Object.keys(values).map(freeParameter) : parameters
    const address = fillAddress(url, known, values)
    if (!takesBody) return { method, url: address, headers: plan.headers }
    return { method, url: address, ...writeBody(plan, inputs.body ? objectIn(input, 'body') : {}) }
  }

  return {
    name,
    description,
    unsafe: method !== 'GET',
    parameters: inputSchema(inputs),
    preview(input) {
      try {
        return showRequest(write(input), secrets)
      } catch (error) {
        if (error instanceof InvalidInput) return undefined
        throw error
      }
    },
    async call(input, signal) {
      let call: HttpCall
      try {
        call = write(input)
      } catch (error) {
        if (!(error instanceof InvalidInput)) throw error
        return { output: `Nothing was sent: ${error.message}`, failed: true }
      }
      return callForModel(call, { egress }, { maxCharacters, secrets }, signal)
    },
  }
}

type Input = { schema: JsonSchema; required: boolean }
type Inputs = Partial<Record<'queryParams' | 'body', Input>>

/** An object with these fields and no others. */
const closedObject = (fields: readonly (Input & { name: string })[]): JsonSchema => {
  const required = fields.filter((field) => field.required).map(({ name }) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  }
}

const inputSchema = (inputs: Inputs) =>
  closedObject(Object.entries(inputs).map(([name, input]) => ({ name, ...input })))

const parametersInput = (parameters: readonly RequestParameter[]): Input => ({
  schema: closedObject(parameters),
  required: parameters.some(({ required }) => required),
})

/** The body that the model writes: by the schema of the author, or any object if there is neither schema nor body. */
function bodyInput({ body, bodySchema }: RequestPlan): Inputs {
  if (!bodySchema) return body === undefined ? { body: { schema: FREE_BODY, required: false } } : {}
  const { required, ...schema } = readObjectSchema(bodySchema)
  // Fields that the author sets are not required from the model.
  const needed = Array.isArray(required)
    ? required.filter((name) => !isObject(body) || !Object.hasOwn(body, String(name)))
    : []
  return {
    body: {
      schema: { ...schema, ...(needed.length > 0 ? { required: needed } : {}), additionalProperties: false },
      required: true,
    },
  }
}

const freeParameter = (name: string): RequestParameter => ({
  name,
  place: 'query',
  required: false,
  schema: {},
})

function objectIn(input: JsonObject, name: string): JsonObject {
  const value = input[name] ?? {}
  if (!isObject(value)) throw new InvalidInput(`${name} is not an object`)
  return value
}

function writeBody(plan: RequestPlan, written: JsonObject): Pick<HttpCall, 'headers' | 'body'> {
  const { body: fixed = {} } = plan
  const body = isObject(fixed) ? { ...withDefaults(written, plan.bodySchema), ...fixed } : fixed
  const headers = { ...plan.headers }
  const type = Object.keys(headers).find((name) => name.toLowerCase() === 'content-type')
  if (type === undefined) headers['content-type'] = 'application/json'
  else if (/urlencoded/i.test(headers[type]!) && isObject(body)) return { headers, body: formText(body) }
  return { headers, body: JSON.stringify(body) }
}

function withDefaults(written: JsonObject, bodySchema: JsonObject | undefined): JsonObject {
  const { properties = {} } = bodySchema ? readObjectSchema(bodySchema) : {}
  const defaults = Object.entries(properties as JsonObject).flatMap(([name, schema]) =>
    isObject(schema) && 'default' in schema ? [[name, schema.default!] as const] : [],
  )
  return { ...Object.fromEntries(defaults), ...written }
}

const formText = (body: JsonObject) =>
  new URLSearchParams(
    Object.fromEntries(
      Object.entries(body).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    ),
  ).toString()

/** A value that the model gives, and its place in the address. */
export type RequestParameter = {
  name: string
  place: 'path' | 'query'
  required: boolean
  schema: JsonSchema
}

/** The model's input is invalid for the request; the message is for the model. */
export class InvalidInput extends Error {}

/** Methods for which an address without its last segment is common: the collection. */
const COLLECTION_METHODS = ['GET', 'POST']

/** Scheme and host of an address, which a model cannot change. */
const AUTHORITY = /^https?:\/\/[^/?#]+/i

/** A placeholder in an address: `/:id` or `{id}`. */
const PLACEHOLDER = /(?<=\/):([\p{L}_][\p{L}\p{N}_]*)|\{([\p{L}_][\p{L}\p{N}_.-]*)\}/gu

/**
 * Reads the parameters of a request as their author wrote them. A parameter without `in` belongs to the path if the
 * address has its placeholder, else to the query. A placeholder without a parameter is a parameter too.
 *
 * @throws Error with the reason, for the author
 */
export function readRequestParameters(
  written: JsonObject,
  address: string,
  method: string,
): RequestParameter[] {
  const declared = Object.entries(written).map(([name, entry]): RequestParameter => {
    const { schema, required } = readField(name, entry)
    const hasPlaceholder = placeholderPattern(name).test(pathOf(address))
    const place = readPlace(
      name,
      isObject(entry) ? (entry.in as Json | undefined) : undefined,
      hasPlaceholder,
    )
    // Without the segment the address would have another meaning, often a wider one.
    const needed = place === 'path' && (hasPlaceholder || !COLLECTION_METHODS.includes(method))
    return { name, place, required: required || (needed && !('default' in schema)), schema }
  })
  const names = new Set(declared.map(({ name }) => name))
  const places = [...pathOf(address).matchAll(PLACEHOLDER)].map(([, colon, braces]) => (colon ?? braces)!)
  const undeclared = [...new Set(places)].filter((name) => !names.has(name))
  return [
    ...declared,
    ...undeclared.map(
      (name): RequestParameter => ({ name, place: 'path', required: true, schema: { type: 'string' } }),
    ),
  ]
}

function readPlace(name: string, given: Json | undefined, hasPlaceholder: boolean): 'path' | 'query' {
  if (given === 'path' || given === 'query') return given
  if (given !== undefined && given !== null && given !== '')
    throw new Error(`the parameter ${name} can be in path or query, not in ${JSON.stringify(given)}`)
  return hasPlaceholder ? 'path' : 'query'
}

/**
 * The address of one call. Values never change what the author wrote: the host, and query parameters that are set.
 *
 * @throws InvalidInput for a value that is missing, empty or not valid in a path
 */
export function fillAddress(
  address: string,
  parameters: readonly RequestParameter[],
  values: JsonObject,
): string {
  const [authority = ''] = AUTHORITY.exec(address) ?? []
  const [beforeQuery = '', written] = pathOf(address).split(/\?(.*)/s)
  let path = beforeQuery
  let query = written ?? ''
  const added = new URLSearchParams()
  const fixed = new URLSearchParams(query)
  for (const { name, place, required, schema } of parameters) {
    const value = values[name] ?? (schema.default as Json | undefined)
    if (value === undefined || value === null || value === '') {
      if (required) throw new InvalidInput(`${name} is missing`)
    } else if (place === 'path') {
      const segment = pathSegment(name, value)
      const pattern = placeholderPattern(name)
      if (pattern.test(`${path}?${query}`))
        [path, query] = [fillPlaceholders(path, name, segment), fillPlaceholders(query, name, segment)]
      else path = `${path.replace(/(?<!\/)\/+$/, '')}/${segment}`
    } else if (!fixed.has(name)) {
      for (const one of Array.isArray(value) ? value : [value]) added.append(name, plainText(one))
    }
  }
  const whole = [query, added.toString()].filter(Boolean).join('&')
  return `${authority}${path}${whole === '' ? '' : `?${whole}`}`
}

const pathOf = (address: string) => address.replace(AUTHORITY, '').replace(/#.*$/s, '')

const placeholderPattern = (name: string) => {
  const plain = RegExp.escape(name)
  return new RegExp(`:${plain}(?![\\p{L}\\p{N}_])|\\{${plain}\\}`, 'u')
}

const fillPlaceholders = (text: string, name: string, segment: string) =>
  text.replaceAll(new RegExp(placeholderPattern(name), 'gu'), () => segment)

function pathSegment(name: string, value: Json): string {
  if (typeof value === 'object')
    throw new InvalidInput(`${name} must be a scalar value, because it is a part of the address`)
  const segment = String(value).trim()
  // Dot segments would lead to another part of the service.
  if (segment === '' || segment === '.' || segment === '..')
    throw new InvalidInput(`${JSON.stringify(segment)} is not a valid value for ${name}`)
  return encodeURIComponent(segment.toWellFormed())
}

const plainText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))
