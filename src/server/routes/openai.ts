import {
  chatBody,
  completionShape,
  embeddingsBody,
  embeddingsShape,
  modelList,
  modelParams,
  modelShape,
} from '../../api/openai.ts'
import type { FlowRow } from '../../contract/flow-store.ts'
import { findAnswerer } from '../../flow/plan-prediction.ts'
import { isAgentFlow, readGraph } from '../../flow/graph.ts'
import { SluiceError } from '../../kit/errors.ts'
import { sendStream } from '../chat/stream.ts'
import type { PrepareTurn } from '../chat/turn.ts'
import { withLinkedPictures } from '../chat/uploads.ts'
import { mayPageAsk } from '../cross-origin.ts'
import { chunksOf, completion, dataLine, DONE } from '../openai/chat-answer.ts'
import { readChatRequest, ineffectiveParameters } from '../openai/chat-request.ts'
import { EMBEDDING_MODEL, embedTexts } from '../openai/embeddings.ts'
import { openAIFailure } from '../openai/failure.ts'
import type { Platform } from '../platform.ts'
import { type Call, type Route, route } from '../route.ts'

type ModelCall = Pick<Call<unknown, unknown, unknown>, 'may' | 'hasKey' | 'isLocal' | 'request'>

/** OpenAI's protocol for flows: the name of the model is the slug or id of a flow. */
export function openAIRoutes(platform: Platform, prepareTurn: PrepareTurn): Route[] {
  const { flows, catalog, nodeServices, log, mask } = platform
  const tag = 'OpenAI protocol'

  /** The flows that the caller may ask, and the embedding model for callers with a key. */
  async function models({ may, hasKey, isLocal, request }: ModelCall) {
    const { rows } = await flows.list()
    const allowed = await Promise.all(
      rows.map(
        async (flow) =>
          canAnswer(flow) && mayPageAsk(request.headers, flow, isLocal()) && (await may('predict', flow)),
      ),
    )
    const listed = rows.filter((_, index) => allowed[index])
    return [...listed.map(modelOf), ...((await hasKey()) ? [EMBEDDING_MODEL] : [])]
  }

  function canAnswer(flow: FlowRow): boolean {
    try {
      const graph = readGraph(flow.flowData)
      return isAgentFlow(graph) || findAnswerer(graph, catalog) !== undefined
    } catch {
      return false
    }
  }

  return [
    route({
      method: 'POST',
      url: '/v1/chat/completions',
      summary: 'Ask the flow that is named as model; the answer is one JSON object or a stream',
      tag,
      access: { flow: 'predict', by: 'body' },
      pinned: 'fenced',
      body: chatBody,
      // Room for pictures as base64.
      bodyMegabytes: 50,
      answer: { description: 'The answer; annotations are its sources', shape: completionShape },
      also: [{ description: 'The same as a stream of chunks', type: 'text/event-stream' }],
      async handle({ body, enter, caller, fence, spend, clientGone, reply }) {
        const flow = await enter(body.model)
        await spend('questions', 1)
        const gone = clientGone()
        const asker = { name: await caller(), fence: await fence() }
        const request = await readChatRequest(body, (sent) =>
          withLinkedPictures(sent, nodeServices.egress, gone),
        )
        const turn = await prepareTurn(flow, request, asker)
        const context = {
          model: body.model,
          created: Math.floor(Date.now() / 1000),
          warnings: ineffectiveParameters(body),
        }
        await turn.begin()
        if (!body.stream) return completion(context, await turn.run(gone))
        const chunks = chunksOf(context, turn.chatMessageId)
        const format = {
          heartbeat: ': heartbeat\n\n',
          failed: (error: SluiceError) => dataLine(openAIFailure(error)) + DONE,
        }
        return sendStream({ reply, gone, log, mask }, format, async (send) => {
          await send(chunks.first())
          let streamed = false
          const completed = await turn.run(gone, async (event) => {
            if (event.event !== 'token') return
            streamed = true
            await send(chunks.token(event.data))
          })
          const { text } = completed.prediction
          await send(
            (streamed || text === '' ? '' : chunks.token(text)) +
              chunks.last(completed, body.stream_options?.include_usage === true),
          )
        })
      },
    }),
    route({
      method: 'GET',
      url: '/v1/models',
      summary: 'The flows that the caller may ask, and the embedding model',
      tag,
      access: 'open',
      answer: {
        description: 'The models',
        shape: modelList,
      },
      handle: async (call) => ({ object: 'list', data: await models(call) }),
    }),
    route({
      method: 'GET',
      url: '/v1/models/:model',
      summary: 'One model',
      tag,
      access: 'open',
      params: modelParams,
      answer: { description: 'The model', shape: modelShape },
      async handle(call) {
        const { model } = call.params
        const flow = await flows.find(model)
        const found = (await models(call)).find(({ id }) => id === (flow?.slug ?? model))
        if (!found) throw new SluiceError('model_not_found', { model, param: 'model' })
        return { ...found, id: model }
      },
    }),
    route({
      method: 'POST',
      url: '/v1/embeddings',
      summary: 'Embed texts with the built-in model',
      tag,
      access: 'keyed',
      pinned: 'harmless',
      body: embeddingsBody,
      bodyMegabytes: 16,
      answer: {
        description: 'A vector per text, as numbers or as base64 of 32-bit floats',
        shape: embeddingsShape,
      },
      handle: ({ body, spend, clientGone }) =>
        embedTexts(body, clientGone(), (texts) => spend('questions', texts)),
    }),
  ]
}

const modelOf = ({ slug, createdAt }: FlowRow) => ({
  id: slug,
  object: 'model' as const,
  created: Math.floor(createdAt / 1000),
  owned_by: 'sluice',
})
