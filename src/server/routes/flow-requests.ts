import { flowRequestsShape } from '../../api/flow-requests.ts'
import { idParams } from '../../api/params.ts'
import { describeRequests } from '../../flow/describe-requests.ts'
import { MANAGEMENT } from '../management.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'
import { findFlow, flowSource } from '../../flow/find-flow.ts'

/** The requests that flows take. */
export function flowRequestRoutes(platform: Platform): Route[] {
  const { flows, keys, variables, predictor } = platform
  return [
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/chatflows/:id/requests',
      summary:
        'The requests that a flow takes, and every input with whether a request may override it, or why not',
      params: idParams,
      answer: { description: 'Upsert, query, prediction and overrides', shape: flowRequestsShape },
      async handle({ params }) {
        const flow = await findFlow(flows, params.id)
        const { id, slug, revision, apiKeyId } = flow
        const names = (await variables.list()).map(({ name }) => name)
        const { prediction, ...described } = describeRequests(platform, flowSource(flow), names)
        return {
          id,
          slug,
          revision,
          key: apiKeyId === null ? null : await keyOf(apiKeyId),
          ...described,
          prediction: { ...prediction, streams: predictor.streams(flowSource(flow)) },
        }
      },
    }),
  ]

  /** The key of a flow; without a name where it was deleted. */
  async function keyOf(id: string) {
    const key = await keys.find(id)
    return { id, name: key?.name ?? null, scopes: key?.scopes ?? [] }
  }
}
