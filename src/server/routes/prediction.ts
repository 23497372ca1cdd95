import { flowParams, idParams } from '../../api/params.ts'
import { predictionAnswer, type PredictionBody, predictionBody } from '../../api/prediction.ts'
import type { FlowRow } from '../../contract/flow-store.ts'
import type { SluiceError } from '../../kit/errors.ts'
import { randomId } from '../../kit/hash.ts'
import type { JsonObject } from '../../kit/json.ts'
import { createFrames, frame, HEARTBEAT } from '../chat/frames.ts'
import { predictionRequestOf, readPredictionForm } from '../chat/prediction-body.ts'
import { attachmentLimits, createQuestionUploads } from '../chat/question-uploads.ts'
import { sendStream } from '../chat/stream.ts'
import { type ChatCaller, type ChatTurn, MANAGER, type Prediction, type PrepareTurn } from '../chat/turn.ts'
import type { Platform } from '../platform.ts'
import { unknownFields } from '../read-shape.ts'
import { type Call, isForm, type Route, route } from '../route.ts'
import { findFlow } from '../../flow/find-flow.ts'
import { receiveUpload } from '../uploads.ts'

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
    if (!isForm(request)) return { body, files: [], discard: async () => {} }
    const limits = { ...attachmentLimits(config), shortage: platform.shortage }
    const { fields, files, discard } = await receiveUpload(request.raw, platform.uploadDirectory, limits)
    return { body: readPredictionForm(fields), files, discard }
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
    const { body, files, discard } = await readBody(call)
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
      const { forModel, pictures } = await uploads.read(flow, sent, gone)
      const chatRequest = {
        ...request,
        chatId,
        uploads: forModel,
        files: pictures,
        chatType,
        warnings: unknownFields(body, predictionBody, IGNORED),
      }
      turn = await prepareTurn(flow, chatRequest, caller)
    } finally {
      await discard()
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

const END = frame('end', '[DONE]')

/** The events of a failure. Clients show `data`, which has the hint too; the members beside it are for programs. */
function failureFrames({ code, message, status, facts: { hint, nodeId } }: SluiceError): string {
  if (code === 'cancelled') return frame('abort', '[DONE]') + END
  const more = { code, status, ...(nodeId === undefined ? {} : { nodeId }) }
  return frame('error', hint ? `${message}. ${hint}` : message, more) + END
}

const metadataOf = (prediction: Prediction): JsonObject =>
  Object.fromEntries(METADATA.filter((name) => name in prediction).map((name) => [name, prediction[name]!]))
