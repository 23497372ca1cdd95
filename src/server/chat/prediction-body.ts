import type { z } from 'zod'
import { type decision, type PredictionBody, predictionBody } from '../../api/prediction.ts'
import { SluiceError } from '../../kit/errors.ts'
import { type Json, type JsonObject, parseJson } from '../../kit/json.ts'
import { readFormOverrides } from '../form-overrides.ts'
import { readShape } from '../read-shape.ts'

/** Fields of a form that hold JSON, and those that are plain text. All others are overrides. */
const JSON_FIELDS = ['form', 'history', 'uploads', 'humanInput', 'action']
const TEXT_FIELDS = ['question', 'streaming', 'chatId', 'leadEmail', 'chatflowId', 'sessionId']

/** A multipart form as the JSON body with the same meaning. @throws SluiceError `body_invalid` */
export function readPredictionForm(
  fields: readonly (readonly [name: string, value: string])[],
): PredictionBody {
  const body: JsonObject = {}
  for (const [field, value] of fields) {
    if (TEXT_FIELDS.includes(field)) body[field] = value
    else if (JSON_FIELDS.includes(field) && value !== '') body[field] = readJson(field, value)
  }
  const known = [...TEXT_FIELDS, ...JSON_FIELDS]
  const { overrides } = readFormOverrides(fields.filter(([field]) => !known.includes(field)))
  const { sessionId, ...rest } = body
  const session = sessionId === undefined ? {} : { sessionId }
  return readShape('body_invalid', predictionBody, {
    ...rest,
    overrideConfig: { ...overrides, ...session },
  })
}

function readJson(field: string, text: string): Json {
  const value = parseJson(text)
  if (value === undefined) throw new SluiceError('body_invalid', { reason: `the part ${field} is not JSON` })
  return value
}

/** The prediction request in a body, without its uploads. */
export function predictionRequestOf(body: PredictionBody) {
  const { sessionId, chatId, ...overrides } = body.overrideConfig ?? {}
  const session = readSession(sessionId) ?? (body.chatId || readSession(chatId))
  return {
    ...(body.question ? { question: body.question } : {}),
    ...(body.form == null ? {} : { form: body.form }),
    ...(session === undefined ? {} : { sessionId: session }),
    chatId: body.chatId || readSession(chatId),
    history: body.history ?? [],
    overrides,
    leadEmail: body.leadEmail || undefined,
    ...(body.humanInput == null ? {} : { humanInput: withoutNulls(body.humanInput) }),
  }
}

function readSession(value: Json | undefined): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string' && value.length <= 255) return value
  throw new SluiceError('override_invalid', {
    key: 'sessionId',
    reason: 'it must be a text of at most 255 characters',
  })
}

const withoutNulls = ({ type, startNodeId, feedback }: z.output<typeof decision>) => ({
  type,
  ...(startNodeId == null ? {} : { startNodeId }),
  ...(feedback == null ? {} : { feedback }),
})
