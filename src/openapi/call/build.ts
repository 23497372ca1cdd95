import { isObject, type Json, type JsonObject } from '../../kit/json.ts'
import type { HttpCall } from '../../tools/call.ts'
import { INPUT_GROUPS, type Operation, type OperationParameter } from '../operation.ts'
import { BadInput } from './bad-input.ts'
import { type CallCredentials, credentialsFor, type CredentialValues } from './secrets.ts'
import { formText, writeBody } from './write-body.ts'
import { unencoded, percentEncoder, valueText, writeInline, writePairs } from './write-value.ts'

export type CallContext = {
  /** Headers of the flow's author; they override all others. */
  headers: Readonly<Record<string, string>>
  secrets: CredentialValues
}

const ACCEPT = 'application/json, text/*;q=0.9, */*;q=0.5'

/**
 * Builds the request for an input. Secrets are added only here: after the model, before the network.
 *
 * @throws BadInput with what the model has to correct
 */
export function buildCall(
  operation: Operation,
  input: JsonObject,
  { headers, secrets }: CallContext,
): HttpCall {
  const given = givenParameters(operation, input)
  const keys = credentialsFor(operation.security, secrets)
  const body = bodyOf(operation, input)
  const sent = new Headers({ accept: ACCEPT })
  if (body) put(sent, 'content-type', body.contentType)
  for (const { parameter, value } of given)
    if (parameter.in === 'header') put(sent, parameter.name, headerText(parameter, value))
  const cookies = cookieText(given, keys)
  if (cookies !== '') put(sent, 'cookie', cookies)
  for (const [name, value] of [...keys.headers, ...Object.entries(headers)]) put(sent, name, value)
  return {
    method: operation.method,
    url: urlOf(operation, given, keys),
    headers: Object.fromEntries(sent),
    ...(body ? { body: body.body } : {}),
  }
}

type Given = { parameter: OperationParameter; value: Json }

/** The parameters that the input has. Null means absent, because models write it so. */
function givenParameters({ parameters }: Operation, input: JsonObject): Given[] {
  refuseUnknown(parameters, input)
  return parameters.flatMap((parameter) => {
    const group = input[INPUT_GROUPS[parameter.in]]
    const value =
      isObject(group) && Object.hasOwn(group, parameter.name) ? (group[parameter.name] as Json) : null
    if (value !== null) return [{ parameter, value }]
    if (parameter.required) throw new BadInput(`${INPUT_GROUPS[parameter.in]}.${parameter.name} is missing`)
    return []
  })
}

/** Refuses an unknown name: without an error its value would be lost. */
function refuseUnknown(parameters: readonly OperationParameter[], input: JsonObject): void {
  for (const group of new Set(Object.values(INPUT_GROUPS))) {
    const value = input[group]
    if (value === undefined || value === null) continue
    if (!isObject(value)) throw new BadInput(`${group} must be an object`)
    const known = parameters
      .filter((parameter) => INPUT_GROUPS[parameter.in] === group)
      .map(({ name }) => name)
    const unknown = Object.keys(value).find((name) => !known.includes(name))
    if (unknown === undefined) continue
    const names = known.length === 0 ? 'it has none' : `it has ${known.join(', ')}`
    throw new BadInput(`${group}.${unknown} is not a parameter of this operation; ${names}`)
  }
}

function bodyOf({ body }: Operation, input: JsonObject) {
  if (!body) return undefined
  const value = input.RequestBody
  if (value !== undefined && (value !== null || body.required)) return writeBody(body, value)
  if (body.required) throw new BadInput('RequestBody is missing')
  return undefined
}

function urlOf({ server, path }: Operation, given: readonly Given[], keys: CallCredentials): string {
  const [template = ''] = path.split('#', 1)
  const filled = template.replace(/\{\+?([^{}]+)\}/g, (_, name: string) => {
    const found = given.find(({ parameter }) => parameter.in === 'path' && parameter.name === name)!
    return pathText(found)
  })
  refuseDotSegments(template, filled)
  const url = `${server}${filled}`
  const query = queryText(given, keys)
  return query === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${query}`
}

function pathText({ parameter, value }: Given): string {
  const encode = percentEncoder(parameter.allowReserved)
  const text =
    parameter.mediaType === undefined
      ? writeInline(parameter.name, value, parameter, encode)
      : encode(contentText(parameter, value))
  if (text !== '') return text
  throw new BadInput(`PathParameters.${parameter.name} is empty: the request would go to another address`)
}

/** Refuses values such as `..`, in any escaping: they would lead to another operation. */
function refuseDotSegments(template: string, filled: string): void {
  const steps = (path: string) =>
    path
      .split('?', 1)[0]!
      .split('/')
      .filter((part) => part === '.' || part === '..').length
  if (steps(filled) > steps(template)) throw new BadInput('PathParameters must not be "." or ".."')
}

function queryText(given: readonly Given[], keys: CallCredentials): string {
  const pairs = given.flatMap(({ parameter, value }) => {
    if (parameter.in === 'querystring')
      return [
        /json/i.test(parameter.mediaType ?? '')
          ? percentEncoder(false)(JSON.stringify(value))
          : formText(value),
      ]
    return parameter.in === 'query' ? queryPairs(parameter, value).map((pair) => pair.join('=')) : []
  })
  const secret = keys.query.map(
    ([name, value]) => `${percentEncoder(false)(name)}=${percentEncoder(false)(value)}`,
  )
  return [...pairs, ...secret].join('&')
}

function queryPairs(parameter: OperationParameter, value: Json): [string, string][] {
  const encode = percentEncoder(parameter.allowReserved)
  if (parameter.mediaType !== undefined)
    return [[encode(parameter.name), encode(contentText(parameter, value))]]
  return writePairs(parameter.name, value, parameter, encode)
}

/** A value in the media type of its parameter. */
const contentText = ({ mediaType = '' }: OperationParameter, value: Json) =>
  /json/i.test(mediaType) ? JSON.stringify(value) : valueText(value)

const headerText = (parameter: OperationParameter, value: Json): string =>
  parameter.mediaType === undefined
    ? writeInline(parameter.name, value, parameter, unencoded)
    : contentText(parameter, value)

/** The message of `Headers` itself would contain the value, which may be a secret. */
function put(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value)
  } catch {
    throw new BadInput(`the header ${name} would have characters that are not valid in a header`)
  }
}

function cookieText(given: readonly Given[], keys: CallCredentials): string {
  const own = given.flatMap(({ parameter, value }) => {
    if (parameter.in !== 'cookie') return []
    const encode = parameter.style === 'cookie' ? unencoded : percentEncoder(false)
    return writePairs(parameter.name, value, parameter, encode)
  })
  return [...own, ...keys.cookies].map((pair) => pair.join('=')).join('; ')
}
