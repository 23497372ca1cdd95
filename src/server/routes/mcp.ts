import { z } from 'zod'
import type { FlowRow } from '../../db/flows.ts'
import { planQuery } from '../../flow/plan.ts'
import { SluiceError } from '../../kit/errors.ts'
import { flowSource } from '../flow-row.ts'
import { answerMcp, type FlowTools } from '../mcp.ts'
import { isForeignPage } from '../origins.ts'
import type { Platform } from '../platform.ts'
import { type Call, type Route, route } from '../route.ts'

const params = z.object({ flowId: z.string() })

/** Every flow is a server of the Model Context Protocol, with the tools that its caller may use. */
export function mcpRoutes(platform: Platform): Route[] {
  const { catalog, lent, retriever, version, log } = platform

  const search =
    (flow: FlowRow): NonNullable<FlowTools['search']> =>
    async ({ query, topK }, signal) => {
      const { part } = planQuery(flowSource(flow), catalog, lent, {})
      const asked = topK === undefined ? {} : { topK }
      return (await retriever.retrieve(part, [query], asked, signal))[0]!
    }

  async function answer({ request, reply, flow, may }: Call<unknown, unknown, unknown>) {
    // The protocol asks for this: a page could otherwise use a server on the machine of whoever looks at it.
    if (isForeignPage(request.headers, flow)) throw new SluiceError('origin_refused', { flow: flow.slug })
    return answerMcp(
      { request, reply, log },
      {
        name: flow.name,
        version,
        ...((await may('query')) ? { search: search(flow) } : {}),
      },
    )
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
      params,
      ...(method === 'POST' ? { body: z.unknown() } : {}),
      answer: { description: 'A message of the protocol, or a stream of them', shape: z.unknown() },
      handle: answer,
    }),
  )
}
