import type { JsonSchema } from '../contract/tool.ts'
import { isObject, type Json, type JsonObject } from '../kit/json.ts'
import { readField } from './written-schema.ts'

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
