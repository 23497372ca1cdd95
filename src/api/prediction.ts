import { z } from 'zod'
import type { PastMessage } from '../contract/chat-history.ts'
import { common, doc, docs, EXAMPLE_ID } from './doc.ts'
import { chunkScores } from './hit.ts'
import { count, jsonObject, jsonValue, warning } from './json.ts'

export const document = z.object({
  pageContent: z.string().register(docs, common.chunkText),
  metadata: jsonObject.meta(common.chunkMetadata),
})

/** A chunk that was used for an answer; the fields after `metadata` depend on the store. */
export const sourceDocument = document.extend({
  id: z
    .string()
    .optional()
    .register(docs, doc('The id of the chunk', '0b2ae1f6-6d4b-5d8a-9c1e-3f1d2c4b5a69')),
  score: z.number().optional().register(docs, common.score),
  scores: chunkScores
    .optional()
    .register(docs, doc('The scores of each search', { vector: 0.62, keyword: 4.1 })),
  confidence: z.number().nullable().optional().register(docs, common.confidence),
})

const shownMessage = z.object({
  headers: z
    .record(z.string(), z.string())
    .register(docs, doc('The headers; values of secret ones are masked', {})),
  body: z.string().register(docs, doc('The body as text, at most 4,000 characters', '{"city":"Bern"}')),
})

/** A request of a tool, with masked secrets. */
export const shownRequest = shownMessage.extend({
  method: z.string().register(docs, doc('The HTTP method', 'GET')),
  address: z
    .string()
    .register(docs, doc('The address with its query', 'https://api.example.com/weather?city=Bern')),
})

/** One HTTP call of a tool. */
const httpExchange = z.object({
  method: z.string().register(docs, doc('The HTTP method', 'GET')),
  address: z
    .string()
    .register(docs, doc('The address with its query', 'https://api.example.com/weather?city=Bern')),
  status: z
    .number()
    .int()
    .nullable()
    .register(docs, doc('The status of the answer; null if there is none', 200)),
  error: z
    .string()
    .optional()
    .register(docs, doc('Why there is no answer', 'the server refused the connection')),
  ms: count.meta(doc('The duration over all attempts, in milliseconds', 110)),
  bytes: count.meta(doc('The size of the body of the answer in bytes, as far as it was read', 48)),
  complete: z.boolean().register(docs, doc('Whether the whole body of the answer was read')),
  request: shownMessage.meta(doc('The headers and the body that were sent', { headers: {}, body: '' })),
  response: shownMessage
    .nullable()
    .register(docs, doc('The headers and the body of the answer; null if there is none', null)),
})

/** Facts about a tool call, which only managers get. */
const toolTrace = z.object({
  callId: z.string().register(docs, doc('The id that the model gave the call', 'call_1')),
  startedAt: count
    .optional()
    .register(
      docs,
      doc('When the call began, in milliseconds since 1970; absent if it was not made', 1_769_850_000_000),
    ),
  ms: count.optional().register(docs, doc('How long the call took, in milliseconds', 120)),
  http: z
    .array(httpExchange)
    .optional()
    .register(docs, doc('The HTTP calls of the tool; secrets in them are masked', [])),
})

export const usedTool = z.object({
  tool: z.string().register(docs, doc('The name of the tool', 'get_weather')),
  toolInput: jsonObject.meta(doc('The input that the model gave the tool', { city: 'Bern' })),
  toolOutput: z.string().register(docs, doc('The output of the tool, as text', '12 °C')),
  error: z.string().optional().register(docs, doc('Why the call failed', 'HTTP Error 404: Not Found')),
  trace: toolTrace.optional().register(
    docs,
    doc('Facts about the call, for managers only', {
      callId: 'call_1',
      startedAt: 1_769_850_000_000,
      ms: 120,
    }),
  ),
})

export const executedNode = z.object({
  nodeId: z.string().register(docs, doc('The id of the node in the drawing', 'humanInputAgentflow_0')),
  nodeLabel: z.string().register(docs, doc('The label of the node', 'Ask a person')),
  data: jsonObject.meta(doc('The input and output of the node', { input: {}, output: {} })),
  previousNodeIds: z
    .array(z.string())
    .register(docs, doc('The ids of the nodes before it', ['startAgentflow_0'])),
  status: z
    .enum(['INPROGRESS', 'FINISHED', 'STOPPED', 'ERROR', 'TERMINATED'])
    .register(docs, doc('How far the node is', 'FINISHED')),
  timeMetadata: z
    .object({
      start: count.meta(doc('The time of the start, in milliseconds since 1970', 1_769_850_000_000)),
      end: count.meta(doc('The time of the end, in milliseconds since 1970', 1_769_850_000_120)),
      delta: count.meta(doc('The milliseconds of work, without waiting for a person', 120)),
    })
    .optional()
    .register(
      docs,
      doc('When the node began and ended, in milliseconds since 1970, and how long it worked', {
        start: 1_769_850_000_000,
        end: 1_769_850_000_120,
        delta: 120,
      }),
    ),
})

/** A decision that a person has to make before a run continues. */
export const pendingAction = z.object({
  id: z.string().register(docs, doc('The id of the decision', EXAMPLE_ID)),
  mapping: z
    .object({
      approve: z.string().register(docs, doc('The label of the button to proceed', 'Proceed')),
      reject: z.string().register(docs, doc('The label of the button to reject', 'Reject')),
    })
    .register(docs, doc('The labels of the two buttons', { approve: 'Proceed', reject: 'Reject' })),
  elements: z
    .array(
      z.object({
        type: z.string().register(docs, doc('The kind of the button', 'approve-button')),
        label: z.string().register(docs, doc('The label of the button', 'Proceed')),
      }),
    )
    .register(docs, doc('The buttons', [{ type: 'approve-button', label: 'Proceed' }])),
  data: jsonObject.meta(doc('The node that waits, and its input', { nodeId: 'humanInputAgentflow_0' })),
})

export const predictionAnswer = z.object({
  text: z.string().register(docs, doc('The answer as text', 'Four weeks.')),
  json: jsonValue
    .optional()
    .register(docs, doc('The answer as JSON, if the flow requests JSON from its model', { weeks: 4 })),
  question: z
    .string()
    .optional()
    .register(docs, doc('The question as the flow read it', 'How long is the notice period?')),
  chatId: z
    .string()
    .register(docs, doc('The id of the conversation; a new one if the request had none', 'chat-1')),
  chatMessageId: z.string().register(docs, doc('The id of the answer, for feedback', EXAMPLE_ID)),
  sessionId: z.string().register(docs, common.sessionId),
  memoryType: z.string().optional().register(docs, doc('The kind of memory of the flow', 'Buffer Memory')),
  sourceDocuments: z.array(sourceDocument).optional().register(docs, common.sourceDocuments),
  usedTools: z.array(usedTool).optional().register(docs, common.usedTools),
  agentFlowExecutedData: z
    .array(executedNode)
    .optional()
    .register(docs, doc('The nodes of an agent flow that have run, in order', [])),
  executionId: z
    .string()
    .optional()
    .register(
      docs,
      doc('The id of the run, for GET /api/v1/executions; for a chat flow only managers get it', EXAMPLE_ID),
    ),
  action: pendingAction.optional().register(docs, common.action),
  isStreamValid: z.boolean().register(docs, doc('Whether the flow can stream its answer')),
  warnings: z.array(warning).optional().register(docs, common.warnings),
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
    z.looseObject({
      role: z.string().register(docs, doc('Who wrote the message: userMessage or apiMessage', 'userMessage')),
      content: z.string().register(docs, doc('The text of the message', 'Hello')),
    }),
    z.looseObject({
      type: z.string().register(docs, doc('Who wrote the message; the older name of role', 'userMessage')),
      message: z.string().register(docs, doc('The text of the message; the older name of content', 'Hello')),
    }),
  ])
  .transform((message): PastMessage => {
    const [role, content] =
      'role' in message
        ? [message.role as string, message.content as string]
        : [message.type as string, message.message as string]
    return { role: /^(user|human)/i.test(role) ? 'userMessage' : 'apiMessage', content }
  })

const upload = z.looseObject({
  type: z
    .string()
    .register(
      docs,
      doc(
        'file: a picture; url: a picture by its web address; file:full: a text from the attachments route; file:rag: a file to load into the store of the flow; audio: a recording, whose words become the question',
        'file',
      ),
    ),
  name: z
    .string()
    .min(1)
    .max(1024)
    .register(docs, doc('The file name, at most 1,024 characters', 'plan.png')),
  mime: z.string().nullish().register(docs, doc('The media type', 'image/png')),
  data: z
    .string()
    .nullish()
    .register(
      docs,
      doc('The content as a data URL, or the web address', 'data:image/png;base64,iVBORw0KGgo='),
    ),
})
export type SentUpload = z.output<typeof upload>

/** The decision of a person about a waiting call. */
export const decision = z.looseObject({
  type: z.enum(['proceed', 'reject']).register(docs, doc('The decision', 'proceed')),
  startNodeId: z
    .string()
    .nullish()
    .register(docs, doc('The id of the node that waits', 'humanInputAgentflow_0')),
  feedback: z.string().nullish().register(docs, doc('A comment of the person on the decision', 'Go on')),
})

/** A question to a flow. Clients may send null for unset fields, and unknown fields. */
export const predictionBody = z
  .looseObject({
    question: question
      .nullish()
      .register(docs, doc('The question, at most 1,000,000 characters', 'How long is the notice period?')),
    form: jsonObject.nullish().register(
      docs,
      doc('The values of the form that an agent flow starts with, instead of a question', {
        topic: 'notice period',
      }),
    ),
    streaming: flag
      .nullish()
      .register(docs, doc('Whether the answer is sent as server-sent events while it is generated', false)),
    chatId: name
      .or(z.literal(''))
      .nullish()
      .register(
        docs,
        doc('The id of the conversation, at most 255 characters; a new one if absent', 'chat-1'),
      ),
    history: z
      .array(past)
      .max(1000)
      .nullish()
      .register(
        docs,
        doc('The earlier messages, oldest first, for a flow without memory; at most 1,000', [
          { role: 'userMessage', content: 'Hello' },
        ]),
      ),
    overrideConfig: jsonObject.nullish().register(docs, common.overrides),
    uploads: z
      .array(upload)
      .max(20)
      .nullish()
      .register(docs, doc('Up to 20 pictures and files that belong to the question', [])),
    leadEmail: z
      .string()
      .max(1000)
      .nullish()
      .register(docs, doc('The mail address of the visitor, at most 1,000 characters', 'ada@example.com')),
    humanInput: decision.nullish().register(
      docs,
      doc('The decision of a person, for a run that waits for it', {
        type: 'proceed',
        startNodeId: 'humanInputAgentflow_0',
      }),
    ),
  })
  .refine(({ question, form }) => !question || form == null, 'send either a question or a form')

export type PredictionBody = z.output<typeof predictionBody>
