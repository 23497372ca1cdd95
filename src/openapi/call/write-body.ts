import { isObject, type Json, type JsonObject } from '../../kit/json.ts'
import { randomId } from '../../kit/hash.ts'
import type { BodyPlan, PartPlan, ParameterSerialization } from '../operation.ts'
import { BadInput } from './bad-input.ts'
import { unencoded, percentEncoder, valueText, writePairs } from './write-value.ts'

export type WrittenBody = { contentType: string; body: string | Uint8Array<ArrayBuffer> }

const FORM: ParameterSerialization = { style: 'form', explode: true, allowReserved: false }

/** The body of a request, in the encoding of its plan. @throws BadInput if the value does not fit it */
export function writeBody({ mediaType, encoding, parts }: BodyPlan, value: Json): WrittenBody {
  switch (encoding) {
    case 'json':
      return { contentType: mediaType, body: JSON.stringify(value) }
    case 'jsonLines':
      return {
        contentType: mediaType,
        body: listOf(value)
          .map((item) => `${JSON.stringify(item)}\n`)
          .join(''),
      }
    case 'form':
      return { contentType: mediaType, body: formText(value, parts) }
    case 'multipart':
      return multipart(mediaType, value, parts)
    case 'text':
      return { contentType: mediaType, body: valueText(value) }
    case 'bytes':
      return { contentType: mediaType, body: bytesOf(valueText(value)) }
  }
}

const listOf = (value: Json): Json[] => (Array.isArray(value) ? value : [value])

function fieldsOf(value: Json): [string, Json][] {
  if (!isObject(value))
    throw new BadInput('RequestBody must be an object: its properties are the fields of a form')
  return Object.entries(value as JsonObject)
}

/** An object as `application/x-www-form-urlencoded`; also used for a whole query string. */
export function formText(value: Json, parts: Record<string, PartPlan> = {}): string {
  return fieldsOf(value)
    .flatMap(([name, field]) => {
      const { mediaType, serialization } = parts[name] ?? {}
      const encode = percentEncoder(serialization?.allowReserved ?? false)
      if (mediaType !== undefined && /json/i.test(mediaType))
        return [[encode(name), encode(JSON.stringify(field))]]
      // A nested object is JSON unless a style is given (OpenAPI 3.1, 4.8.15.1).
      const nested = isObject(field) && !serialization
      return writePairs(name, nested ? JSON.stringify(field) : field, serialization ?? FORM, encode)
    })
    .map((pair) => pair.join('='))
    .join('&')
}

/** A multipart body (RFC 7578): a part for each field, and for each item of a list. */
function multipart(mediaType: string, value: Json, parts: Record<string, PartPlan>): WrittenBody {
  const boundary = `sluice-${randomId()}`
  const chunks = fieldsOf(value)
    .flatMap(([name, field]) => partsOf(name, field, parts[name] ?? {}))
    .flatMap(({ name, type, file, bytes }) => {
      const filename = file ? `; filename="${quoted(name)}"` : ''
      const head = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"${filename}\r\n`
      const content = type === undefined ? '' : `Content-Type: ${type}\r\n`
      return [Buffer.from(`${head}${content}\r\n`), bytes, Buffer.from('\r\n')]
    })
  const body = Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)])
  return { contentType: `${mediaType}; boundary=${boundary}`, body: new Uint8Array(body) }
}

type Part = { name: string; type: string | undefined; file: boolean; bytes: Uint8Array }

function partsOf(name: string, field: Json, { mediaType, file = false, serialization }: PartPlan): Part[] {
  if (serialization && !file)
    return writePairs(name, field, serialization, unencoded).map(([key, text]) => ({
      name: key,
      type: mediaType,
      file,
      bytes: Buffer.from(text),
    }))
  return listOf(field).map((item) => {
    const type =
      mediaType ?? (file ? 'application/octet-stream' : isObject(item) ? 'application/json' : undefined)
    return {
      name,
      type: withoutWildcard(type),
      file,
      bytes: file ? bytesOf(valueText(item)) : Buffer.from(valueText(item)),
    }
  })
}

const withoutWildcard = (type: string | undefined) =>
  type?.includes('*') ? 'application/octet-stream' : type

/** Escaped as browsers do (HTML standard, multipart form data). */
const quoted = (name: string) => name.replace(/"/g, '%22').replace(/\r\n|\r|\n/g, '%0D%0A')

/** The decoded bytes of base64; the UTF-8 bytes of any other text. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const base64 = text.replace(/^data:[^,]*;base64,/i, '').replace(/\s+/g, '')
  const isBase64 = base64.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(base64)
  return new Uint8Array(Buffer.from(isBase64 ? base64 : text, isBase64 ? 'base64' : 'utf8'))
}
