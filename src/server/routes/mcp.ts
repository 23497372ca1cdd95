import { flowParams } from '../../api/params.ts'
import { mcpMessage, mcpRequest } from '../../api/protocol.ts'
import type { PredictionRequest } from '../../agent/prediction.ts'
import type { Document } from '../../contract/document.ts'
import type { FlowRow } from '../../contract/flow-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import { randomId } from '../../kit/hash.ts'
import type { ChatRequest, PrepareTurn } from '../chat/turn.ts'
import { planFlowRetrieval, flowSource } from '../stored-flow.ts'
import { answerMcp, type FlowTools } from '../mcp.ts'
import { isForeignPage } from '../cross-origin.ts'
import type { Platform } from '../platform.ts'
import { type Call, type Route, route } from '../route.ts'

/** What a flow is refused with that has no store, or nothing that answers. */
const UNABLE: ReadonlySet<string> = new Set(['flow_cannot_query', 'flow_cannot_answer', 'stop_node_needed'])

type McpCall = Call<unknown, unknown, unknown>

/** A question of an agent: each is a conversation of its own. */
const askedFor = (question: string): ChatRequest => ({
  question,
  chatId: undefined,
  history: [],
  uploads: [],
  overrides: {},
  files: [],
  chatType: 'EXTERNAL',
})

/** A question that nobody asks, in a conversation that nobody has. */
const trial = (): PredictionRequest => ({
  question: '?',
  chatId: randomId(),
  history: [],
  uploads: [],
  overrides: {},
})

/** Every flow is a server of the Model Context Protocol, with the tools that it has and that its caller may use. */
export function mcpRoutes(platform: Platform, prepareTurn: PrepareTurn): Route[] {
  const { retriever, version, log } = platform

  const planned = (flow: FlowRow) => planFlowRetrieval(platform, flow, { overrides: {} })

  const search =
    (flow: FlowRow): NonNullable<FlowTools['search']> =>
    async ({ query, topK }, signal) => {
      const { part } = await planned(flow)
      const asked = topK === undefined ? {} : { topK }
      return (await retriever.retrieve(part, [query], asked, signal))[0]!
    }

  const ask =
    (flow: FlowRow, caller: string): NonNullable<FlowTools['ask']> =>
    async (question, signal) => {
      const turn = await prepareTurn(flow, askedFor(question), caller)
      await turn.begin()
      const { text, sourceDocuments } = (await turn.run(signal)).prediction
      return { text, sources: (sourceDocuments ?? []) as Document[] }
    }

  /** Whether a flow has what it takes; whatever else is wrong with it, a call of the tool will tell. */
  const can = (trial: Promise<unknown>): Promise<boolean> =>
    trial.then(
      () => true,
      (error: unknown) => !(error instanceof SluiceError && UNABLE.has(error.code)),
    )

  async function toolsOf({ flow, caller, may }: McpCall): Promise<FlowTools> {
    const source = flowSource(flow)
    const searches = (await may('query')) && (await can(planned(flow)))
    const answers = (await may('predict')) && (await can(platform.predictor.prepare(source, trial())))
    return {
      name: flow.name,
      version,
      ...(searches ? { search: search(flow) } : {}),
      ...(answers ? { ask: ask(flow, await caller()) } : {}),
    }
  }

  async function answer(call: McpCall) {
    const { request, reply, flow, isLocal } = call
    // The protocol asks for this: a page could otherwise use a server on the machine of whoever looks at it.
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
          : 'Sessions of the Model Context Protocol; this server has none and says so',
      tag: 'agents',
      access: { flow: 'query', or: 'predict' },
      params: flowParams,
      // One message a request: many at once would count as one where a flow limits its callers.
      ...(method === 'POST' ? { body: mcpRequest } : {}),
      answer: { description: 'A message of the protocol, or a stream of them', shape: mcpMessage },
      also:
        method === 'POST'
          ? [
              { description: 'The same as a stream', type: 'text/event-stream' },
              { status: 202, description: 'A notification was taken', type: 'text/plain' },
            ]
          : [{ status: 405, description: 'There is no session', shape: mcpMessage }],
      failure: mcpMessage,
      handle: answer,
    }),
  )
}
