import { checkedFlow, flowProblems } from '../../api/flow-problem.ts'
import { checkDrawing } from '../check-flow.ts'
import { MANAGEMENT } from '../management.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'
import { findFlow } from '../../flow/find-flow.ts'

/** What keeps a flow, or a drawing that is not stored yet, from running. */
export function flowProblemRoutes(platform: Platform): Route[] {
  return [
    route({
      ...MANAGEMENT,
      method: 'POST',
      url: '/api/v1/flows/validate',
      summary:
        'All problems of a flow or of a drawing, each at its node, input and line, with the requests that it refuses; nothing is run',
      body: checkedFlow,
      bodyMegabytes: 16,
      answer: { description: 'The problems; none for a flow that can run', shape: flowProblems },
      async handle({ body }) {
        const flow = body.flow === undefined ? undefined : await findFlow(platform.flows, body.flow)
        const problems = await checkDrawing(platform, flow?.flowData ?? body.flowData, flow?.id ?? 'draft')
        return { problems }
      },
    }),
  ]
}
