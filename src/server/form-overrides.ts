import { SluiceError } from '../kit/errors.ts'
import { isObject, type Json, type JsonObject, parseJson } from '../kit/json.ts'

/** Fields of a form that are no overrides. */
const REQUEST_FIELDS = new Set(['overrideConfig', 'stopNodeId', 'chatId', 'question'])

export type FormRequest = { overrides: JsonObject; stopNodeId?: string; chatId?: string }

/**
 * The overrides of a multipart form: the JSON object in `overrideConfig` and all other fields, which have precedence.
 * `chunkSize[splitter_0]=500` is for one node only.
 *
 * @throws SluiceError `body_invalid` if `overrideConfig` is not a JSON object
 */
export function readFormOverrides(fields: readonly (readonly [name: string, value: string])[]): FormRequest {
  let overrides: JsonObject = {}
  let stopNodeId: string | undefined
  let chatId: string | undefined
  for (const [name, value] of fields) {
    if (name === 'overrideConfig') overrides = { ...overrides, ...readObject(value) }
    else if (name === 'stopNodeId' && value !== '') stopNodeId = value
    else if (name === 'chatId' && value !== '') chatId = value
  }
  for (const [name, value] of fields)
    if (!REQUEST_FIELDS.has(name)) overrides = withField(overrides, name, value)
  return {
    overrides,
    ...(stopNodeId === undefined ? {} : { stopNodeId }),
    ...(chatId === undefined ? {} : { chatId }),
  }
}

function readObject(text: string): JsonObject {
  if (text.trim() === '') return {}
  const value = parseJson(text)
  if (value === null) return {}
  if (isObject(value)) return value as JsonObject
  throw new SluiceError('body_invalid', { reason: 'the part overrideConfig is not a JSON object' })
}

function withField(overrides: JsonObject, name: string, value: string): JsonObject {
  const [, key, nodeId] = /^([^[\]]+)\[([^[\]]+)\]$/.exec(name) ?? []
  if (key === undefined || nodeId === undefined) return { ...overrides, [name]: value }
  const present = overrides[key]
  return {
    ...overrides,
    [key]: { ...(isObject(present) ? (present as { [id: string]: Json }) : {}), [nodeId]: value },
  }
}
