import type { JsonSchema, Tool } from '../contract/tool.ts'
import type { Egress } from '../kit/egress/client.ts'
import { isObject, type Json, type JsonObject } from '../kit/json.ts'
import { callForModel } from './call.ts'
import { fillAddress, type RequestParameter, readRequestParameters, InvalidInput } from './request-address.ts'
import { secretsIn } from './request-headers.ts'
import type { HttpCall } from './send.ts'
import { showRequest } from './show-exchange.ts'
import { readObjectSchema } from './written-schema.ts'

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
