import { z } from 'zod'
import type { PastMessage } from '../contract/chat-history.ts'
import { count, jsonObject, jsonValue, warning } from './json.ts'
import { chunkScores } from './query.ts'

export const document = z.object({ pageContent: z.string(), metadata: jsonObject })

/** A chunk that was used for an answer; the fields after `metadata` depend on the store. */
export const sourceDocument = document.extend({
  id: z.string().optional(),
  score: z.number().optional(),
  scores: chunkScores.optional(),
  confidence: z.number().nullable().optional(),
})

const shownMessage = z.object({ headers: z.record(z.string(), z.string()), body: z.string() })

/** A request of a tool, with masked secrets. */
export const shownRequest = shownMessage.extend({ method: z.string(), address: z.string() })

/** One HTTP call of a tool. */
const httpExchange = z.object({
  method: z.string(),
  address: z.string(),
  status: z.number().int().nullable(),
  error: z.string().optional(),
  ms: count,
  bytes: count,
  complete: z.boolean(),
  request: shownMessage,
  response: shownMessage.nullable(),
})

/** Facts about a tool call, which only managers get. */
const toolTrace = z.object({
  callId: z.string(),
  startedAt: count.optional(),
  ms: count.optional(),
  http: z.array(httpExchange).optional(),
})

export const usedTool = z.object({
  tool: z.string(),
  toolInput: jsonObject,
  toolOutput: z.string(),
  error: z.string().optional(),
  trace: toolTrace.optional(),
})

export const executedNode = z.object({
  nodeId: z.string(),
  nodeLabel: z.string(),
  data: jsonObject,
  previousNodeIds: z.array(z.string()),
  status: z.enum(['INPROGRESS', 'FINISHED', 'STOPPED', 'ERROR', 'TERMINATED']),
  timeMetadata: z.object({ start: count, end: count, delta: count }).optional(),
})

/** A decision that a person has to make before a run continues. */
export const pendingAction = z.object({
  id: z.string(),
  mapping: z.object({ approve: z.string(), reject: z.string() }),
  elements: z.array(z.object({ type: z.string(), label: z.string() })),
  data: jsonObject,
})

export const predictionAnswer = z.object({
  text: z.string(),
  json: jsonValue.optional(),
  question: z.string().optional(),
  chatId: z.string(),
  chatMessageId: z.string(),
  sessionId: z.string(),
  memoryType: z.string().optional(),
  sourceDocuments: z.array(sourceDocument).optional(),
  usedTools: z.array(usedTool).optional(),
  agentFlowExecutedData: z.array(executedNode).optional(),
  executionId: z.string().optional(),
  action: pendingAction.optional(),
  isStreamValid: z.boolean(),
  warnings: z.array(warning).optional(),
})

export type PredictionAnswer = z.output<typeof predictionAnswer>

/**
 * The events of a streamed answer that clients act on: the shape of `data` by the value of `event`. A stream holds more,
 * such as `start`, `agentFlowEvent` and `end`.
 */
export const streamedData = {
  token: z.string(),
  usedTools: z.array(usedTool),
  sourceDocuments: z.array(sourceDocument),
  action: pendingAction,
  metadata: predictionAnswer.pick({ chatId: true, chatMessageId: true, sessionId: true }),
  error: z.string(),
}

const name = z.string().min(1).max(255)
const question = z.string().max(1_000_000)

/** A flag as JSON or as text of a form; an empty text is false. */
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

/** The decision of a person about a waiting call. */
export const decision = z.looseObject({
  type: z.enum(['proceed', 'reject']),
  startNodeId: z.string().nullish(),
  feedback: z.string().nullish(),
})

/** A question to a flow. Clients may send null for unset fields, and unknown fields. */
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
