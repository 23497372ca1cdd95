import { isObject, type Json, type JsonObject } from '../../../src/kit/json.ts'

/** How a description has a parameter written, in the terms of OpenAPI 3. */
export type Written = {
  name: string
  in: string
  style: string
  explode: boolean
  json: boolean
}

/** A parameter as the description itself has it, by the rules of its version. */
export function writtenAs(parameter: Record<string, unknown>): Written {
  const { name, in: place, collectionFormat, type } = parameter as Record<string, string>
  const [media] = isObject(parameter.content) ? Object.keys(parameter.content) : []
  const usual = place === 'query' || place === 'cookie' ? 'form' : 'simple'
  if (type === 'array' && !('style' in parameter)) {
    const style =
      { ssv: 'spaceDelimited', tsv: 'tabDelimited', pipes: 'pipeDelimited' }[collectionFormat ?? ''] ?? usual
    return { name: name!, in: place!, style, explode: collectionFormat === 'multi', json: false }
  }
  const style = String(parameter.style ?? usual)
  const explode = typeof parameter.explode === 'boolean' ? parameter.explode : style === 'form'
  return { name: name!, in: place!, style, explode, json: media !== undefined && /json/.test(media) }
}

/** Texts in place of numbers and the like: the form of a value within an address. */
export function asTexts(value: Json): Json {
  if (Array.isArray(value)) return value.map((item) => plainText(item))
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value as JsonObject).map(([key, inner]) => [key, plainText(inner)]),
    )
  return plainText(value)
}

const plainText = (value: Json): string =>
  value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)

/** A value read back from a path or a header, given its shape. */
export function readInline(
  text: string,
  { name, style, explode, json }: Written,
  shape: Json,
  decode: (text: string) => string,
): Json {
  if (json) return JSON.parse(decode(text)) as Json
  const body = style === 'label' ? text.slice(1) : text
  if (style === 'matrix') return readMatrix(text, name, explode, shape, decode)
  const separator = style === 'label' && explode ? '.' : ','
  if (Array.isArray(shape)) return body === '' ? [] : body.split(separator).map(decode)
  if (!isObject(shape)) return decode(body)
  const parts = body === '' ? [] : body.split(separator)
  return explode
    ? fromPairs(
        parts.map((part) => splitPair(part)),
        decode,
      )
    : inTurns(parts, decode)
}

function readMatrix(
  text: string,
  name: string,
  explode: boolean,
  shape: Json,
  decode: (text: string) => string,
): Json {
  const pairs = text
    .split(';')
    .slice(1)
    .map((part) => splitPair(part))
  if (isObject(shape) && explode) return fromPairs(pairs, decode)
  const own = pairs.filter(([key]) => decode(key) === name).map(([, value]) => value)
  if (Array.isArray(shape)) return (explode ? own : (own[0] ?? '').split(',')).map(decode)
  return isObject(shape) ? inTurns((own[0] ?? '').split(','), decode) : decode(own[0] ?? '')
}

/** A value read back from a query, a form or cookies, given its shape and all pairs there are. */
export function readPairs(
  pairs: readonly (readonly [string, string])[],
  { name, style, explode, json }: Written,
  shape: Json,
  decode: (text: string) => string,
): Json | undefined {
  const own = pairs.filter(([key]) => decode(key) === name).map(([, value]) => value)
  if (json) return own[0] === undefined ? undefined : (JSON.parse(decode(own[0])) as Json)
  if (style === 'deepObject' && isObject(shape)) return fromDeep(pairs, name, decode)
  if (isObject(shape) && explode)
    return fromPairs(
      pairs.filter(([key]) => decode(key) in shape),
      decode,
    )
  if (Array.isArray(shape) && explode) return own.map(decode)
  if (own[0] === undefined) return undefined
  const separator = { spaceDelimited: '%20', pipeDelimited: '%7C', tabDelimited: '%09' }[style] ?? ','
  const parts = own[0] === '' ? [] : own[0].split(separator)
  if (Array.isArray(shape)) return parts.map(decode)
  return isObject(shape) ? inTurns(parts, decode) : decode(own[0])
}

export const splitPair = (text: string): [string, string] => {
  const at = text.indexOf('=')
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

const fromPairs = (
  pairs: readonly (readonly [string, string])[],
  decode: (text: string) => string,
): JsonObject => Object.fromEntries(pairs.map(([key, value]) => [decode(key), decode(value)]))

const inTurns = (parts: readonly string[], decode: (text: string) => string): JsonObject =>
  Object.fromEntries(
    Array.from({ length: Math.floor(parts.length / 2) }, (_, index) => [
      decode(parts[2 * index]!),
      decode(parts[2 * index + 1]!),
    ]),
  )

/** One level of `name[key]`, which is as deep as the specification goes; below it JSON is compared as text. */
function fromDeep(
  pairs: readonly (readonly [string, string])[],
  name: string,
  decode: (text: string) => string,
): JsonObject {
  const read: JsonObject = {}
  for (const [key, value] of pairs) {
    const [, inner] =
      /^\[([^\]]+)\](?:\[.*)?$/.exec(decode(key).startsWith(name) ? decode(key).slice(name.length) : '') ?? []
    if (inner !== undefined) read[inner] = decode(value)
  }
  return read
}
