import type { PredictionRequest } from '../../agent/prediction.ts'
import { flowParams } from '../../api/params.ts'
import { mcpMessage, mcpRequest } from '../../api/protocol.ts'
import type { Document } from '../../contract/document.ts'
import type { Fence } from '../../contract/fence.ts'
import type { FlowRow } from '../../contract/flow-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import { randomId } from '../../kit/hash.ts'
import type { ChatCaller, ChatRequest, PrepareTurn } from '../chat/turn.ts'
import { isForeignPage } from '../cross-origin.ts'
import { answerMcp, type FlowTools } from '../mcp.ts'
import type { Platform } from '../platform.ts'
import { type Call, type Route, route } from '../route.ts'
import { flowSource } from '../../flow/find-flow.ts'
import { planQuery } from './query.ts'

/** The error codes of a flow without a store, or without a node that answers. */
const MISSING_PART_CODES: ReadonlySet<string> = new Set([
  'flow_cannot_query',
  'flow_cannot_answer',
  'stop_node_needed',
])

type McpCall = Call<unknown, unknown, unknown>

/** A question of an agent, in a new conversation. */
const requestOf = (question: string): ChatRequest => ({
  question,
  chatId: undefined,
  history: [],
  uploads: [],
  overrides: {},
  files: [],
  chatType: 'EXTERNAL',
})

/** A request to find out whether a flow can answer; it is prepared but not run. */
const trial = (): PredictionRequest => ({
  question: '?',
  chatId: randomId(),
  history: [],
  uploads: [],
  overrides: {},
})

/** Every flow as a server of the Model Context Protocol, with those of its tools that the caller may use. */
export function mcpRoutes(platform: Platform, prepareTurn: PrepareTurn): Route[] {
  const { retriever, version, log } = platform

  const plan = (flow: FlowRow, fence: Fence | undefined) =>
    planQuery(platform, flow, { overrides: {}, fence })

  const search =
    (flow: FlowRow, fence: Fence | undefined, spend: McpCall['spend']): NonNullable<FlowTools['search']> =>
    async ({ query, topK }, signal) => {
      await spend('questions', 1)
      const { part } = await plan(flow, fence)
      const overrides = topK === undefined ? {} : { topK }
      return (await retriever.retrieve(part, [query], overrides, signal))[0]!
    }

  const ask =
    (flow: FlowRow, caller: ChatCaller, spend: McpCall['spend']): NonNullable<FlowTools['ask']> =>
    async (question, signal) => {
      await spend('questions', 1)
      const turn = await prepareTurn(flow, requestOf(question), caller)
      await turn.begin()
      const { text, sourceDocuments } = (await turn.run(signal)).prediction
      return { text, sources: (sourceDocuments ?? []) as Document[] }
    }

  /** Whether the flow has the parts for a tool. Other faults of the flow are found when the tool is called. */
  const succeeds = (preparation: Promise<unknown>): Promise<boolean> =>
    preparation.then(
      () => true,
      (error: unknown) => !(error instanceof SluiceError && MISSING_PART_CODES.has(error.code)),
    )

  async function toolsOf({ flow, caller, fence: ofCaller, spend, may }: McpCall): Promise<FlowTools> {
    const source = flowSource(flow)
    const fence = await ofCaller()
    const searches = (await may('query')) && (await succeeds(plan(flow, fence)))
    const answers =
      (await may('predict')) && (await succeeds(platform.predictor.prepare(source, { ...trial(), fence })))
    return {
      name: flow.name,
      version,
      ...(searches ? { search: search(flow, fence, spend) } : {}),
      ...(answers ? { ask: ask(flow, { name: await caller(), fence }, spend) } : {}),
    }
  }

  async function answer(call: McpCall) {
    const { request, reply, flow, isLocal } = call
    // Required by the protocol: otherwise any web page could use a server on the machine of its visitor.
    if (isForeignPage(request.headers, flow, isLocal()))
      throw new SluiceError('origin_refused', { flow: flow.slug })
    return answerMcp({ request, reply, gone: call.clientGone(), log }, await toolsOf(call))
  }

  return (['POST', 'GET', 'DELETE'] as const).map((method) =>
    route({
      method,
      url: '/api/v1/mcp/:flowId',
      summary:
        method === 'POST'
          ? 'The flow as a server of the Model Context Protocol (streamable HTTP), with the tools search and ask'
          : 'Sessions of the Model Context Protocol: not supported, always 405',
      tag: 'agents',
      access: { flow: 'query', or: 'predict' },
      pinned: 'fenced',
      params: flowParams,
      // One message per request: a batch would count only once for the rate limit of the flow.
      ...(method === 'POST' ? { body: mcpRequest } : {}),
      answer: { description: 'A message of the protocol, or a stream of messages', shape: mcpMessage },
      also:
        method === 'POST'
          ? [
              { description: 'The same as a stream', type: 'text/event-stream' },
              { status: 202, description: 'A notification was accepted', type: 'text/plain' },
            ]
          : [{ status: 405, description: 'There are no sessions', shape: mcpMessage }],
      failure: mcpMessage,
      handle: answer,
    }),
  )
}
