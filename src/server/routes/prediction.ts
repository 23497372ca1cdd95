import { flowParams, idParams } from '../../api/params.ts'
import { predictionAnswer, type PredictionBody, predictionBody } from '../../api/prediction.ts'
import type { FlowRow } from '../../contract/flow-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import { randomId } from '../../kit/hash.ts'
import type { JsonObject } from '../../kit/json.ts'
import type { PrepareTurn, Prediction, ChatTurn } from '../chat/turn.ts'
import { createFrames, frame, HEARTBEAT } from '../chat/frames.ts'
import { predictionRequestOf, readPredictionForm } from '../chat/prediction-body.ts'
import { attachmentLimits, createQuestionUploads } from '../chat/question-uploads.ts'
import { sendStream } from '../chat/stream.ts'
import type { Platform } from '../platform.ts'
import { type Call, isForm, type Route, route } from '../route.ts'
import { unknownFields } from '../read-shape.ts'
import { receiveUpload } from '../uploads.ts'

/** Fields that clients of Flowise send and that change nothing here. */
const NEEDLESS = ['action', 'chatflowid', 'chatflowId', 'socketIOClientId', 'chatType']

/** What of an answer the `metadata` of its stream repeats. */
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
  // Files may lie in it as base64.
  bodyMegabytes: 50,
  answer: { description: 'The answer, with the chunks and tools it rests on', shape: predictionAnswer },
  also: [
    {
      description: 'The same as server-sent events, where streaming was asked for',
      type: 'text/event-stream',
    },
  ],
} as const

type PredictionCall = Pick<
  Call<unknown, unknown, PredictionBody>,
  'request' | 'reply' | 'body' | 'clientGone'
>

export function predictionRoutes(platform: Platform, prepareTurn: PrepareTurn): Route[] {
  const { config, log } = platform
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
    { caller, mayLoad, chatType }: { caller: string; mayLoad: boolean; chatType: 'INTERNAL' | 'EXTERNAL' },
  ) {
    const gone = call.clientGone()
    const { body, files, discard } = await readBody(call)
    let turn: ChatTurn
    try {
      const read = predictionRequestOf(body)
      const chatId = read.chatId ?? read.sessionId ?? randomId()
      const brought = { sent: body.uploads ?? [], files, chatId, sessionId: read.sessionId, caller, mayLoad }
      const taken = await uploads.take(flow, brought, gone)
      const asked = {
        ...read,
        chatId,
        uploads: taken.asked,
        files: taken.pictures,
        chatType,
        warnings: unknownFields(body, predictionBody, NEEDLESS),
      }
      turn = await prepareTurn(flow, asked, caller)
    } finally {
      await discard()
    }
    await turn.begin()
    if (body.streaming && turn.streams) return stream({ reply: call.reply, gone, log }, turn)
    return (await turn.run(gone)).prediction
  }

  async function stream(to: Parameters<typeof sendStream>[0], turn: ChatTurn) {
    const form = { heartbeat: HEARTBEAT, failed: failedFrames }
    return sendStream(to, form, async (say) => {
      const frames = createFrames()
      const { prediction } = await turn.run(to.gone, (event) => say(frames.of(event)))
      await say(frames.rest(prediction.text) + frame('metadata', metadataOf(prediction)) + END)
    })
  }

  return [
    route({
      ...shared,
      url: '/api/v1/prediction/:flowId',
      summary: 'Ask a flow; the answer comes whole, or as it is written',
      access: { flow: 'predict' },
      pages: 'allowed',
      params: flowParams,
      handle: async (call) =>
        answer(call, call.flow, {
          caller: await call.caller(),
          mayLoad: await call.may('upsert'),
          chatType: 'EXTERNAL',
        }),
    }),
    route({
      ...shared,
      url: '/api/v1/internal-prediction/:id',
      summary: 'Ask any flow, as its manager; what is said is marked as internal',
      access: 'manage',
      params: idParams,
      async handle(call) {
        const flow = await platform.flows.find(call.params.id)
        if (!flow) throw new SluiceError('flow_not_found', { flow: call.params.id })
        return answer(call, flow, { caller: 'manager', mayLoad: true, chatType: 'INTERNAL' })
      },
    }),
  ]
}

const END = frame('end', '[DONE]')

/** The way out belongs to the message: a stream has no other place for it. */
const failedFrames = ({ code, message, facts: { hint } }: SluiceError): string =>
  (code === 'cancelled' ? frame('abort', '[DONE]') : frame('error', hint ? `${message}. ${hint}` : message)) +
  END

const metadataOf = (prediction: Prediction): JsonObject =>
  Object.fromEntries(METADATA.filter((name) => name in prediction).map((name) => [name, prediction[name]!]))
