import type { JsonSchema } from '../contract/tool.ts'
import { isObject, type Json, type JsonObject } from '../kit/json.ts'
import { readField } from './written-schema.ts'

/** A value that the model gives, and where in the address it goes. */
export type RequestParameter = {
  name: string
  place: 'path' | 'query'
  required: boolean
  schema: JsonSchema
}

/** The model gave what cannot be sent; the message is for the model. */
export class InvalidInput extends Error {}

/** The methods for which an address without its last segment is a common thing: a list, or what is added to it. */
const COLLECTION_METHODS = ['GET', 'POST']

/** The part of an address that a model can change begins behind the host. */
const AUTHORITY = /^https?:\/\/[^/?#]+/i

/** `/:id` or `{id}` of an address. */
const PLACE = /(?<=\/):([\p{L}_][\p{L}\p{N}_]*)|\{([\p{L}_][\p{L}\p{N}_.-]*)\}/gu

/**
 * Reads the parameters of a request as their author wrote them. One that does not say where it goes fills its place in
 * the address, if there is one; a place that nobody speaks of is a parameter, too.
 *
 * @throws Error with the reason, fit for the author
 */
export function readRequestParameters(
  written: JsonObject,
  address: string,
  method: string,
): RequestParameter[] {
  const declared = Object.entries(written).map(([name, entry]): RequestParameter => {
    const { schema, required } = readField(name, entry)
    const held = placePattern(name).test(pathOf(address))
    const place = readPlace(name, isObject(entry) ? (entry.in as Json | undefined) : undefined, held)
    // An address that lacks a part means something else: often more.
    const needed = place === 'path' && (held || !COLLECTION_METHODS.includes(method))
    return { name, place, required: required || (needed && !('default' in schema)), schema }
  })
  const names = new Set(declared.map(({ name }) => name))
  const places = [...pathOf(address).matchAll(PLACE)].map(([, colon, braces]) => (colon ?? braces)!)
  const undeclared = [...new Set(places)].filter((name) => !names.has(name))
  return [
    ...declared,
    ...undeclared.map(
      (name): RequestParameter => ({ name, place: 'path', required: true, schema: { type: 'string' } }),
    ),
  ]
}

function readPlace(name: string, given: Json | undefined, held: boolean): 'path' | 'query' {
  if (given === 'path' || given === 'query') return given
  if (given !== undefined && given !== null && given !== '')
    throw new Error(`the parameter ${name} can be in path or query, not in ${JSON.stringify(given)}`)
  return held ? 'path' : 'query'
}

/**
 * The address of one call. What its author wrote into it stays: no value changes the host, or a query parameter that is
 * there already.
 *
 * @throws InvalidInput for a value that is missing, empty or no part of a path
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
      const pattern = placePattern(name)
      if (pattern.test(`${path}?${query}`))
        [path, query] = [fillPlaces(path, name, segment), fillPlaces(query, name, segment)]
      else path = `${path.replace(/(?<!\/)\/+$/, '')}/${segment}`
    } else if (!fixed.has(name)) {
      for (const one of Array.isArray(value) ? value : [value]) added.append(name, plainText(one))
    }
  }
  const whole = [query, added.toString()].filter(Boolean).join('&')
  return `${authority}${path}${whole === '' ? '' : `?${whole}`}`
}

const pathOf = (address: string) => address.replace(AUTHORITY, '').replace(/#.*$/s, '')

const placePattern = (name: string) => {
  const plain = RegExp.escape(name)
  return new RegExp(`:${plain}(?![\\p{L}\\p{N}_])|\\{${plain}\\}`, 'u')
}

const fillPlaces = (text: string, name: string, segment: string) =>
  text.replaceAll(new RegExp(placePattern(name), 'gu'), () => segment)

function pathSegment(name: string, value: Json): string {
  if (typeof value === 'object')
    throw new InvalidInput(`${name} must be a plain value, for it is a part of the address`)
  const segment = String(value).trim()
  // These two would lead to another part of the service.
  if (segment === '' || segment === '.' || segment === '..')
    throw new InvalidInput(`${JSON.stringify(segment)} is no value for ${name}`)
  return encodeURIComponent(segment.toWellFormed())
}

const plainText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))
