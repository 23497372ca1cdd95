import { flowParams, idParams } from '../../api/params.ts'
import { predictionAnswer, type PredictionBody, predictionBody, type decision } from '../../api/prediction.ts'
import type { FlowRow } from '../../contract/flow-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import { randomId } from '../../kit/hash.ts'
import { type JsonObject, type Json, parseJson } from '../../kit/json.ts'
import { attachmentLimits, createQuestionUploads } from '../chat/question-uploads.ts'
import { sendStream } from '../chat/stream.ts'
import { type ChatCaller, type ChatTurn, MANAGER, type Prediction, type PrepareTurn } from '../chat/turn.ts'
import type { Platform } from '../platform.ts'
import { unknownFields, readShape } from '../read-shape.ts'
import { type Call, isForm, type Route, route } from '../route.ts'
import { findFlow } from '../../flow/find-flow.ts'
import { receiveUpload, readFormOverrides } from '../uploads.ts'
import type { z } from 'zod'
import type { AgentEvent } from '../../contract/agent.ts'

/** Fields that clients of Flowise send and that have no effect here. */
const IGNORED = ['action', 'chatflowid', 'chatflowId', 'socketIOClientId', 'chatType']

/** The fields of an answer that the event `metadata` repeats. */
const METADATA = [
  'chatId',
  'chatMessageId',
  'question',
  'sessionId',
  'memoryType',
  'executionId',
  'action',
  'warnings',
] as const

const shared = {
  method: 'POST',
  tag: 'predictions',
  accepts: ['application/json', 'multipart/form-data'],
  body: predictionBody,
  // Room for files as base64.
  bodyMegabytes: 50,
  answer: {
    description: 'The answer, with the chunks and tool calls it is based on',
    shape: predictionAnswer,
  },
  also: [
    {
      description: 'The same as server-sent events, with streaming: true',
      type: 'text/event-stream',
    },
  ],
} as const

type PredictionCall = Pick<
  Call<unknown, unknown, PredictionBody>,
  'request' | 'reply' | 'body' | 'clientGone' | 'spend' | 'admitAgain'
>

export function predictionRoutes(platform: Platform, prepareTurn: PrepareTurn): Route[] {
  const { config, log, mask } = platform
  const uploads = createQuestionUploads(platform)

  async function readBody({ request, body }: PredictionCall) {
    if (!isForm(request)) return { body, files: [], remove: async () => {} }
    const limits = { ...attachmentLimits(config), shortage: platform.shortage }
    const { fields, files, remove } = await receiveUpload(request.raw, platform.uploadDirectory, limits)
    return { body: readPredictionForm(fields), files, remove }
  }

  async function answer(
    call: PredictionCall,
    flow: FlowRow,
    {
      caller,
      mayLoad,
      chatType,
    }: { caller: ChatCaller; mayLoad: boolean; chatType: 'INTERNAL' | 'EXTERNAL' },
  ) {
    const gone = call.clientGone()
    await call.spend('questions', 1)
    const { body, files, remove } = await readBody(call)
    let turn: ChatTurn
    try {
      if (isForm(call.request)) await call.admitAgain()
      const request = predictionRequestOf(body)
      const { sessionId } = request
      const chatId = request.chatId ?? sessionId ?? randomId()
      const sent = {
        uploads: body.uploads ?? [],
        files,
        chatId,
        sessionId,
        caller,
        mayLoad,
        spend: call.spend,
      }
      const { forModel, pictures, spoken } = await uploads.read(flow, sent, gone)
      // What was said comes after what was written beside it.
      const question = [request.question ?? '', spoken].filter(Boolean).join('\n\n')
      const chatRequest = {
        ...request,
        ...(question === '' ? {} : { question }),
        chatId,
        uploads: forModel,
        files: pictures,
        chatType,
        warnings: unknownFields(body, predictionBody, IGNORED),
      }
      turn = await prepareTurn(flow, chatRequest, caller)
    } finally {
      await remove()
    }
    await turn.begin()
    if (body.streaming && turn.streams) return stream({ reply: call.reply, gone, log, mask }, turn)
    return (await turn.run(gone)).prediction
  }

  async function stream(target: Parameters<typeof sendStream>[0], turn: ChatTurn) {
    const format = { heartbeat: HEARTBEAT, failed: failureFrames }
    return sendStream(target, format, async (send) => {
      const frames = createFrames()
      const { prediction } = await turn.run(target.gone, (event) => send(frames.of(event)))
      await send(frames.rest(prediction.text) + frame('metadata', metadataOf(prediction)) + END)
    })
  }

  return [
    route({
      ...shared,
      url: '/api/v1/prediction/:flowId',
      summary: 'Ask a flow; the answer is one JSON object, or a stream of events',
      access: { flow: 'predict' },
      pinned: 'fenced',
      pages: 'allowed',
      params: flowParams,
      handle: async (call) =>
        answer(call, call.flow, {
          caller: { name: await call.caller(), fence: await call.fence() },
          mayLoad: await call.may('upsert'),
          chatType: 'EXTERNAL',
        }),
    }),
    route({
      ...shared,
      url: '/api/v1/internal-prediction/:id',
      summary: 'Ask any flow as a manager; its messages are marked as internal',
      access: 'manage',
      params: idParams,
      async handle(call) {
        const flow = await findFlow(platform.flows, call.params.id)
        return answer(call, flow, { caller: MANAGER, mayLoad: true, chatType: 'INTERNAL' })
      },
    }),
  ]
}

/** A server-sent event for clients of Flowise: the name of the event is a field of its data. */
export const frame = (event: string, data: unknown, more: Record<string, Json> = {}): string =>
  `message:\ndata:${JSON.stringify({ event, data, ...more })}\n\n`

/** A comment that keeps a silent connection open. */
export const HEARTBEAT = ':heartbeat\n\n'

/** Events that are sent after the text of the answer. */
const AFTER_TEXT: ReadonlySet<AgentEvent['event']> = new Set([
  'sourceDocuments',
  'usedTools',
  'artifacts',
  'fileAnnotations',
])

export type Frames = {
  /** The text to send for an event, possibly none yet. */
  of(event: AgentEvent): string
  /** The text to send after a run that ended with this answer, before the metadata. */
  rest(text: string): string
}

/**
 * Puts the events of a run into the order that clients rely on: `start` with the first token, then tokens, then sources
 * and tool calls. Events of an agent flow keep their order and have no `start`.
 */
export function createFrames(): Frames {
  const heldBack: AgentEvent[] = []
  let started = false
  let agentFlow = false

  function token(text: string): string {
    const start = started || agentFlow ? '' : frame('start', text)
    started = true
    return start + frame('token', text)
  }

  return {
    of(event) {
      if (event.event === 'token') return token(event.data)
      agentFlow ||= event.event === 'agentFlowEvent'
      if (!agentFlow && AFTER_TEXT.has(event.event)) {
        heldBack.push(event)
        return ''
      }
      return plain(event)
    },
    rest(text) {
      // The answer of a tool that returns directly was not sent as tokens.
      const unsent = started || text === '' ? '' : token(text)
      return unsent + heldBack.map(plain).join('')
    },
  }
}

function plain({ event, data, ...more }: AgentEvent): string {
  return frame(event, data, more as Record<string, Json>)
}

const END = frame('end', '[DONE]')

/** The events of a failure. Clients show `data`, which has the hint too; the members beside it are for programs. */
function failureFrames({ code, message, status, facts: { hint, nodeId } }: SluiceError): string {
  if (code === 'cancelled') return frame('abort', '[DONE]') + END
  const more = { code, status, ...(nodeId === undefined ? {} : { nodeId }) }
  return frame('error', hint ? `${message}. ${hint}` : message, more) + END
}

const metadataOf = (prediction: Prediction): JsonObject =>
  Object.fromEntries(METADATA.filter((name) => name in prediction).map((name) => [name, prediction[name]!]))

/** Fields of a form that hold JSON, and those that are plain text. All others are overrides. */
const JSON_FIELDS = ['form', 'history', 'uploads', 'humanInput', 'action']
const TEXT_FIELDS = ['question', 'streaming', 'chatId', 'leadEmail', 'chatflowId', 'sessionId']

/** A multipart form as the JSON body with the same meaning. @throws SluiceError `body_invalid` */
function readPredictionForm(fields: readonly (readonly [name: string, value: string])[]): PredictionBody {
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
function predictionRequestOf(body: PredictionBody) {
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
