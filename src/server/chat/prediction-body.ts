import { z } from 'zod'
import { jsonObject } from '../../api/json.ts'
import type { PastMessage } from '../../contract/chat-history.ts'
import { SluiceError } from '../../kit/errors.ts'
import { type Json, type JsonObject, parseJson } from '../../kit/json.ts'
import { readFormOverrides } from '../form-overrides.ts'
import { readShape } from '../read-shape.ts'

const name = z.string().min(1).max(255)
const question = z.string().max(1_000_000)

/** A flag as JSON or as the text of a form; the empty text of a form is no. */
const flag = z.union([z.boolean(), z.enum(['true', 'false', '']).transform((text) => text === 'true')])

/** Old clients write `type` and `message` for `role` and `content`. */
const past = z
  .union([
    z.looseObject({ role: z.string(), content: z.string() }),
    z.looseObject({ type: z.string(), message: z.string() }),
  ])
  .transform((message): PastMessage => {
    const [role, content] =
      'role' in message
        ? [message.role as string, message.content as string]
        : [message.type as string, message.message as string]
    return { role: /^(user|human)/i.test(role) ? 'userMessage' : 'apiMessage', content }
  })

const upload = z.looseObject({
  type: z.string(),
  name: z.string().min(1).max(1024),
  mime: z.string().nullish(),
  data: z.string().nullish(),
})

export type SentUpload = z.output<typeof upload>

const decision = z.looseObject({
  type: z.enum(['proceed', 'reject']),
  startNodeId: z.string().nullish(),
  feedback: z.string().nullish(),
})

/** Clients send null for what they do not set, and fields that we do not know. */
export const predictionBody = z
  .looseObject({
    question: question.nullish(),
    form: jsonObject.nullish(),
    streaming: flag.nullish(),
    chatId: name.or(z.literal('')).nullish(),
    history: z.array(past).max(1000).nullish(),
    overrideConfig: jsonObject.nullish(),
    uploads: z.array(upload).max(20).nullish(),
    leadEmail: z.string().max(1000).nullish(),
    humanInput: decision.nullish(),
  })
  .refine(({ question, form }) => !question || form == null, 'send either a question or a form')

export type PredictionBody = z.output<typeof predictionBody>

/** Fields of a form that hold JSON, and those that are plain text. All others are overrides. */
const JSON_FIELDS = ['form', 'history', 'uploads', 'humanInput', 'action']
const TEXT_FIELDS = ['question', 'streaming', 'chatId', 'leadEmail', 'chatflowId', 'sessionId']

/** A multipart form as the body that it stands for. @throws SluiceError `body_invalid` */
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

/** What a body asks for, apart from its uploads. */
export function askedBy(body: PredictionBody) {
  const { sessionId, chatId, ...overrides } = body.overrideConfig ?? {}
  const given = readSession(sessionId) ?? (body.chatId || readSession(chatId))
  return {
    ...(body.question ? { question: body.question } : {}),
    ...(body.form == null ? {} : { form: body.form }),
    ...(given === undefined ? {} : { sessionId: given }),
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
