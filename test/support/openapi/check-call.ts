import { isDeepStrictEqual } from 'node:util'
import { isObject, type Json, type JsonObject } from '../../../src/kit/json.ts'
import { buildCall } from '../../../src/openapi/call/build.ts'
import { INPUT_GROUPS, type Operation } from '../../../src/openapi/operation.ts'
import type { HttpCall } from '../../../src/tools/call.ts'
import type { Described, Spot } from './described.ts'
import type { Judge } from './judge.ts'
import { asTexts, readInline, readPairs, splitPair, type Written, writtenAs } from './read-back.ts'
import { sampleOf } from './sample.ts'

const CHOICES = 6

type Tree = Record<string, unknown>

/**
 * Makes an input that an operation's tool takes, builds the request, reads it back by the rules of the description as it
 * was written, and has every value judged by the description's own schemas.
 *
 * @returns what is wrong with the best of several inputs; undefined where one is right in all
 */
export async function checkCall(
  operation: Operation,
  described: Described,
  judge: Judge,
  full: boolean,
): Promise<string | undefined> {
  let first: string | undefined
  for (let choice = 0; choice < CHOICES; choice++) {
    const input = sampleOf(operation.input, { full, choice }) as JsonObject
    const problem = await problemOf(operation, input, described, judge)
    if (problem === undefined) return undefined
    first ??= problem
  }
  return first
}

async function problemOf(
  operation: Operation,
  input: JsonObject,
  described: Described,
  judge: Judge,
): Promise<string | undefined> {
  try {
    const call = buildCall(operation, input, { headers: {}, secrets: {} })
    const found = described.operation(operation.method, operation.path)
    return (
      parameterProblem(operation, call, input, found.parameters, described, judge) ??
      (await bodyProblem(call, input, found, described, judge))
    )
  } catch (error) {
    return `thrown: ${(error as Error).message}`
  }
}

const decode = (text: string) => decodeURIComponent(text)

function parameterProblem(
  operation: Operation,
  call: HttpCall,
  input: JsonObject,
  parameters: readonly Spot[],
  described: Described,
  judge: Judge,
): string | undefined {
  const { pathname, query } = partsOf(call.url, operation.server)
  const texts = pathTexts(operation.path.split('#', 1)[0]!.split('?', 1)[0]!, pathname)
  const cookies = (call.headers.cookie ?? '').split('; ').filter(Boolean).map(splitPair)
  for (const spot of parameters) {
    const parameter = spot.value as Tree
    const written = writtenAs(parameter)
    if (!(written.in in INPUT_GROUPS) || isElsewhere(written, described)) continue
    const group = input[INPUT_GROUPS[written.in as keyof typeof INPUT_GROUPS]]
    const value = isObject(group) ? (group[written.name] as Json | undefined) : undefined
    if (value === undefined || value === null) {
      if (parameter.required === true && !(written.in === 'path' && !(written.name in texts)))
        return `${written.in} ${written.name} is required and not sent`
      continue
    }
    const sent = sentValue(written, value, { texts, query, cookies, headers: call.headers })
    const expected = written.json ? value : asTexts(value)
    if (!same(sent, expected, written))
      return `${written.in} ${written.name} reads back as ${JSON.stringify(sent)} instead of ${JSON.stringify(expected)}`
    const judged = judge(value, spot.address, schemaPointer(spot, parameter, described))
    if (judged !== undefined) return `${written.in} ${written.name}: ${judged}`
  }
  return undefined
}

/** The specification does not define deeper levels of a deep object. */
const same = (sent: Json | undefined, expected: Json, { style }: Written): boolean => {
  if (style !== 'deepObject' || !isObject(expected)) return isDeepStrictEqual(sent, expected)
  return isObject(sent) && isDeepStrictEqual(Object.keys(sent).sort(), Object.keys(expected).sort())
}

function schemaPointer(spot: Spot, parameter: Tree, { isOld }: Described): string[] {
  if (isOld) return spot.pointer
  if (!isObject(parameter.content)) return [...spot.pointer, 'schema']
  return [...spot.pointer, 'content', Object.keys(parameter.content)[0]!, 'schema']
}

/** Headers that other parts of a description define, and keys of credentials. */
function isElsewhere({ in: place, name }: Written, { rootTree, isOld }: Described): boolean {
  if (place === 'header' && ['accept', 'content-type', 'authorization'].includes(name.toLowerCase()))
    return true
  const components = isObject(rootTree.components) ? rootTree.components : {}
  const schemes = isOld ? rootTree.securityDefinitions : components.securitySchemes
  return Object.values(isObject(schemes) ? schemes : {}).some(
    (scheme) =>
      isObject(scheme) && scheme.in === place && String(scheme.name).toLowerCase() === name.toLowerCase(),
  )
}

function partsOf(url: string, server: string) {
  const [before = '', query = ''] = url.slice(server.length).split('?', 2)
  return { pathname: before, query: query.split('&').filter(Boolean).map(splitPair) }
}

/** The values in the placeholders of a path. */
function pathTexts(template: string, pathname: string): Record<string, string> {
  const names: string[] = []
  const pattern = template.split(/(\{[^{}]+\})/).map((part) => {
    if (!/^\{.*\}$/.test(part)) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    names.push(part.slice(1, -1).replace(/^\+/, ''))
    return '(.+?)'
  })
  const match = new RegExp(`^${pattern.join('')}$`).exec(pathname)
  return Object.fromEntries(names.map((name, index) => [name, match?.[index + 1] ?? '']))
}

type Sent = {
  texts: Record<string, string>
  query: [string, string][]
  cookies: [string, string][]
  headers: Record<string, string>
}

function sentValue(
  written: Written,
  value: Json,
  { texts, query, cookies, headers }: Sent,
): Json | undefined {
  if (written.in === 'path') return readInline(texts[written.name] ?? '', written, value, decode)
  if (written.in === 'header')
    return readInline(headers[written.name.toLowerCase()] ?? '', written, value, (text) => text)
  if (written.in === 'querystring') return value
  return readPairs(written.in === 'cookie' ? cookies : query, written, value, decode)
}

async function bodyProblem(
  call: HttpCall,
  input: JsonObject,
  { operation, parameters }: { operation: Spot; parameters: Spot[] },
  described: Described,
  judge: Judge,
): Promise<string | undefined> {
  if (call.method === 'GET' || call.method === 'HEAD') return undefined
  const value = input.RequestBody
  const fields = parameters.filter(({ value }) => isObject(value) && value.in === 'formData')
  const body = described.isOld
    ? parameters.find(({ value }) => isObject(value) && value.in === 'body')
    : described.follow(described.inside(operation, 'requestBody'))
  if (value === undefined) {
    const needed = [...fields, ...(body ? [body] : [])].some(
      ({ value }) => isObject(value) && value.required === true,
    )
    return needed ? 'a body is required and not sent' : undefined
  }
  const type = (call.headers['content-type'] ?? '').toLowerCase()
  const different = await differentBody(call, type, value)
  if (different !== undefined) return different
  if (fields.length > 0) return fieldProblem(fields, value, judge)
  if (!body) return 'there is a body that the description does not have'
  const schema = described.isOld ? described.inside(body, 'schema') : mediaSchema(body, type, described)
  if (!schema) return `the description has no body of type ${type}`
  return schema.value === undefined
    ? undefined
    : prefixed('RequestBody', judgedBody(value, type, schema, judge))
}

const prefixed = (what: string, problem: string | undefined) =>
  problem === undefined ? undefined : `${what}: ${problem}`

/** Bodies that are neither JSON nor a form are texts here, in spite of their schema. */
const judgedBody = (value: Json, type: string, schema: Spot, judge: Judge) =>
  /json|form/.test(type)
    ? judge(value, schema.address, schema.pointer)
    : typeof value === 'string'
      ? undefined
      : 'it is no text'

function mediaSchema(body: Spot, type: string, described: Described): Spot | undefined {
  const content = described.inside(body, 'content')
  const types = Object.keys(isObject(content.value) ? content.value : {})
  const essence = type.split(';', 1)[0]!.trim()
  const found = types.find((one) => {
    const pattern = one.split(';', 1)[0]!.trim().toLowerCase()
    return (
      pattern === essence ||
      (pattern.includes('*') &&
        new RegExp(`^${pattern.replace(/[+.]/g, '\\$&').replaceAll('*', '.*')}$`).test(essence)) ||
      (pattern.includes('*') && essence === 'application/json') ||
      (pattern.includes('*') && essence === 'application/octet-stream')
    )
  })
  return found === undefined
    ? undefined
    : described.inside(described.follow(described.inside(content, found)), 'schema')
}

function fieldProblem(fields: readonly Spot[], value: Json, judge: Judge): string | undefined {
  if (!isObject(value)) return 'the form is no object'
  for (const field of fields) {
    const { name, required } = field.value as { name: string; required?: unknown }
    const given = value[name]
    if (given === undefined) {
      if (required === true) return `the field ${name} is required and not sent`
      continue
    }
    const judged = judge(given, field.address, field.pointer)
    if (judged !== undefined) return `field ${name}: ${judged}`
  }
  return undefined
}

/** Parses a body by its type; forms by the parsers of the platform. */
async function differentBody(
  { body = '' }: HttpCall,
  type: string,
  value: Json,
): Promise<string | undefined> {
  const bytes = Buffer.from(body as string)
  const text = bytes.toString()
  if (/json/.test(type) && !/jsonl|ndjson/.test(type))
    return isDeepStrictEqual(JSON.parse(text), value) ? undefined : 'the JSON body differs'
  if (/x-www-form|multipart/.test(type)) {
    if (!isObject(value)) return 'the form is no object'
    const form = await new Response(bytes, { headers: { 'content-type': type } }).formData()
    const missing = Object.entries(value as JsonObject).find(
      ([name, field]) =>
        !isNothing(field) &&
        ![...form.keys()].some(
          (key) => key === name || key.startsWith(`${name}[`) || (isObject(field) && key in field),
        ),
    )
    return missing ? `the field ${missing[0]} is not in the form` : undefined
  }
  if (typeof value !== 'string') return `a body of type ${type} is no text`
  return text === value || bytes.toString('base64') === value ? undefined : 'the body differs'
}

const isNothing = (value: Json) =>
  (Array.isArray(value) || isObject(value)) && Object.keys(value).length === 0
