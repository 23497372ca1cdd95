import { SluiceError } from '../../kit/errors.ts'
import { parseJson, type Json, type JsonObject } from '../../kit/json.ts'

/** Fields of forms that hold JSON text. */
const JSON_FIELDS: ReadonlySet<string> = new Set([
  'metadata',
  'docStore',
  'loader',
  'splitter',
  'embedding',
  'vectorStore',
  'recordManager',
  'loaderConfig',
  'splitterConfig',
  'previewChunkCount',
])

/** The text parts of a form as the body of a JSON request. @throws SluiceError `body_invalid` */
export function storeFormBody(fields: readonly (readonly [name: string, value: string])[]): JsonObject {
  const body: JsonObject = {}
  for (const [name, value] of fields) {
    if (value.trim() === '') continue
    body[name] = JSON_FIELDS.has(name) ? jsonOf(name, value) : value
  }
  return body
}

function jsonOf(name: string, text: string): Json {
  const value = parseJson(text)
  if (value === undefined)
    throw new SluiceError('body_invalid', { reason: `the part ${name} is not JSON text` })
  return value
}
