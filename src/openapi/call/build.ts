import { isObject, type Json, type JsonObject } from '../../kit/json.ts'
import type { HttpCall } from '../../tools/send.ts'
import { GROUPS, type Operation, type Slot } from '../operation.ts'
import { BadInput } from './bad-input.ts'
import { type Keys, keysFor, type Secrets } from './secrets.ts'
import { formText, writeBody } from './write-body.ts'
import { asIs, percent, plainText, writeInline, writePairs } from './write-value.ts'

export type Carried = {
  /** Set by the flow's author: they win over everything. */
  headers: Readonly<Record<string, string>>
  secrets: Secrets
}

const ACCEPT = 'application/json, text/*;q=0.9, */*;q=0.5'

/**
 * The request that an input asks for. Secrets stand in it only here: after the model, before the network.
 *
 * @throws BadInput with what the model has to mend
 */
export function buildCall(operation: Operation, input: JsonObject, { headers, secrets }: Carried): HttpCall {
  const given = givenSlots(operation, input)
  const keys = keysFor(operation.security, secrets)
  const body = bodyOf(operation, input)
  const sent = new Headers({ accept: ACCEPT })
  if (body) put(sent, 'content-type', body.contentType)
  for (const { slot, value } of given) if (slot.in === 'header') put(sent, slot.name, headerText(slot, value))
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

type Given = { slot: Slot; value: Json }

/** The parameters that the input holds. Null stands for none, as models write it. */
function givenSlots({ slots }: Operation, input: JsonObject): Given[] {
  refuseUnknown(slots, input)
  return slots.flatMap((slot) => {
    const group = input[GROUPS[slot.in]]
    const value = isObject(group) && Object.hasOwn(group, slot.name) ? (group[slot.name] as Json) : null
    if (value !== null) return [{ slot, value }]
    if (slot.required) throw new BadInput(`${GROUPS[slot.in]}.${slot.name} is missing`)
    return []
  })
}

/** Tells of a name that does not exist: what was meant with it would be lost. */
function refuseUnknown(slots: readonly Slot[], input: JsonObject): void {
  for (const group of new Set(Object.values(GROUPS))) {
    const value = input[group]
    if (value === undefined || value === null) continue
    if (!isObject(value)) throw new BadInput(`${group} must be an object`)
    const known = slots.filter((slot) => GROUPS[slot.in] === group).map(({ name }) => name)
    const unknown = Object.keys(value).find((name) => !known.includes(name))
    if (unknown === undefined) continue
    const names = known.length === 0 ? 'there are none' : `there are ${known.join(', ')}`
    throw new BadInput(`${group}.${unknown} is no parameter of this operation; ${names}`)
  }
}

function bodyOf({ body }: Operation, input: JsonObject) {
  if (!body) return undefined
  const value = input.RequestBody
  if (value !== undefined && (value !== null || body.required)) return writeBody(body, value)
  if (body.required) throw new BadInput('RequestBody is missing')
  return undefined
}

function urlOf({ server, path }: Operation, given: readonly Given[], keys: Keys): string {
  const [template = ''] = path.split('#', 1)
  const filled = template.replace(/\{\+?([^{}]+)\}/g, (_, name: string) => {
    const found = given.find(({ slot }) => slot.in === 'path' && slot.name === name)!
    return pathText(found)
  })
  refuseSteps(template, filled)
  const url = `${server}${filled}`
  const query = queryText(given, keys)
  return query === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${query}`
}

function pathText({ slot, value }: Given): string {
  const encode = percent(slot.allowReserved)
  const text =
    slot.mediaType === undefined
      ? writeInline(slot.name, value, slot, encode)
      : encode(contentText(slot, value))
  if (text !== '') return text
  throw new BadInput(`PathParameters.${slot.name} is empty: the address would be another one`)
}

/** Refuses values such as `..`, in any escaping: they would lead to another operation. */
function refuseSteps(template: string, filled: string): void {
  const steps = (path: string) =>
    path
      .split('?', 1)[0]!
      .split('/')
      .filter((part) => part === '.' || part === '..').length
  if (steps(filled) > steps(template)) throw new BadInput('PathParameters must not be "." or ".."')
}

function queryText(given: readonly Given[], keys: Keys): string {
  const pairs = given.flatMap(({ slot, value }) => {
    if (slot.in === 'querystring')
      return [/json/i.test(slot.mediaType ?? '') ? percent(false)(JSON.stringify(value)) : formText(value)]
    return slot.in === 'query' ? queryPairs(slot, value).map((pair) => pair.join('=')) : []
  })
  const secret = keys.query.map(([name, value]) => `${percent(false)(name)}=${percent(false)(value)}`)
  return [...pairs, ...secret].join('&')
}

function queryPairs(slot: Slot, value: Json): [string, string][] {
  const encode = percent(slot.allowReserved)
  if (slot.mediaType !== undefined) return [[encode(slot.name), encode(contentText(slot, value))]]
  return writePairs(slot.name, value, slot, encode)
}

/** A value in the media type of its parameter. */
const contentText = ({ mediaType = '' }: Slot, value: Json) =>
  /json/i.test(mediaType) ? JSON.stringify(value) : plainText(value)

const headerText = (slot: Slot, value: Json): string =>
  slot.mediaType === undefined ? writeInline(slot.name, value, slot, asIs) : contentText(slot, value)

/** The platform's own message would hold the value, which may be a secret. */
function put(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value)
  } catch {
    throw new BadInput(`the header ${name} would hold characters that no header takes`)
  }
}

function cookieText(given: readonly Given[], keys: Keys): string {
  const own = given.flatMap(({ slot, value }) => {
    if (slot.in !== 'cookie') return []
    const encode = slot.style === 'cookie' ? asIs : percent(false)
    return writePairs(slot.name, value, slot, encode)
  })
  return [...own, ...keys.cookies].map((pair) => pair.join('=')).join('; ')
}
