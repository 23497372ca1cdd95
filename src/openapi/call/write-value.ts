import { isObject, type Json, type JsonObject } from '../../kit/json.ts'
import type { ParameterSerialization } from '../operation.ts'

/** Escapes a single text. */
export type Encode = (text: string) => string

export const unencoded: Encode = (text) => text

/** Escapes that are undone if reserved characters are allowed; `&`, `=`, `+` and `#` would end a value. */
const UNESCAPED = /%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B|5B|5D)/g

/** Percent-encoding (RFC 3986, 2) of all but unreserved characters, or of all but harmless ones. */
export const percentEncoder = (allowReserved: boolean): Encode =>
  allowReserved ? (text) => strict(text).replace(UNESCAPED, (code) => decodeURIComponent(code)) : strict

const strict: Encode = (text) =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** Writes a value for a path or a header: styles simple, label and matrix (RFC 6570, 3.2). */
export function writeInline(
  name: string,
  value: Json,
  { style, explode }: ParameterSerialization,
  encode: Encode,
): string {
  const parts = partsOf(value, explode, encode)
  if (style === 'label') return `.${parts.join(explode ? '.' : ',')}`
  if (style !== 'matrix') return parts.join(',')
  const key = encode(name)
  if (explode && isObject(value)) return parts.map((part) => `;${part}`).join('')
  const texts = explode ? parts : [parts.join(',')]
  return texts.map((text) => (text === '' ? `;${key}` : `;${key}=${text}`)).join('')
}

/** The texts of a value; an object gives keys and values in turn, or pairs joined by an equals sign. */
function partsOf(value: Json, explode: boolean, encode: Encode): string[] {
  if (Array.isArray(value)) return value.map((item) => encode(valueText(item)))
  if (!isObject(value)) return [encode(valueText(value))]
  return Object.entries(value as JsonObject).flatMap(([key, inner]) => {
    const pair = [encode(key), encode(valueText(inner))]
    return explode ? [pair.join('=')] : pair
  })
}

/** Writes a value for a query, a form or a cookie, as pairs: styles form, deepObject and the delimited ones. */
export function writePairs(
  name: string,
  value: Json,
  { style, explode }: ParameterSerialization,
  encode: Encode,
): [name: string, value: string][] {
  if (style === 'deepObject' && typeof value === 'object' && value !== null)
    return deepPairs(name, value, encode)
  if (explode && Array.isArray(value)) return value.map((item) => [encode(name), encode(valueText(item))])
  if (explode && isObject(value))
    return Object.entries(value as JsonObject).map(([key, inner]) => [encode(key), encode(valueText(inner))])
  return [[encode(name), partsOf(value, false, encode).join(delimiter(style, encode))]]
}

const DELIMITERS: Partial<Record<ParameterSerialization['style'], string>> = {
  spaceDelimited: ' ',
  pipeDelimited: '|',
  tabDelimited: '\t',
}

/** The comma between values is not escaped; commas within values are. */
const delimiter = (style: ParameterSerialization['style'], encode: Encode) =>
  DELIMITERS[style] === undefined ? ',' : encode(DELIMITERS[style])

/** `filter[price][min]=1`; for each item of a list `tag[]=a`. */
function deepPairs(name: string, value: JsonObject | Json[], encode: Encode): [string, string][] {
  const inner: [string, Json][] = Array.isArray(value)
    ? value.map((item) => [`${name}[]`, item])
    : Object.entries(value).map(([key, item]) => [`${name}[${key}]`, item])
  return inner.flatMap(([key, item]) =>
    typeof item === 'object' && item !== null
      ? deepPairs(key, item, encode)
      : [[encode(key), encode(valueText(item))]],
  )
}

/** A scalar as text; null as an empty text; an object or list, which cannot be divided further, as JSON. */
export const valueText = (value: Json): string => {
  if (value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
