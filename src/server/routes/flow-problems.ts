import { checkedFlow, flowProblems } from '../../api/flow-problem.ts'
import { findProblems } from '../../flow/check/find-problems.ts'
import { MANAGEMENT } from '../management.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'
import { findFlow } from '../stored-flow.ts'

/** What keeps a flow, or a drawing that is not stored yet, from running. */
export function flowProblemRoutes({ catalog, credentials, flows, nodeServices }: Platform): Route[] {
  return [
    route({
      ...MANAGEMENT,
      method: 'POST',
      url: '/api/v1/flows/validate',
      summary: 'All problems of a flow or of a drawing, each at its node, input and line; nothing is run',
      body: checkedFlow,
      bodyMegabytes: 16,
      answer: { description: 'The problems; none for a flow that can run', shape: flowProblems },
      async handle({ body }) {
        const flow = body.flow === undefined ? undefined : await findFlow(flows, body.flow)
        const { rows } = await flows.list()
        const problems = findProblems(flow?.flowData ?? body.flowData, {
          catalog,
          credentials: new Map((await credentials.list()).map((one) => [one.id, one])),
          flows: new Set(rows.flatMap(({ id, slug }) => [id, slug])),
          context: { ...nodeServices, flowId: flow?.id ?? 'draft' },
        })
        return { problems }
      },
    }),
  ]
}
