import { deletedFlowList, flowSummaryList, restoreBody } from '../../api/flow-summary.ts'
import { shownFlow } from '../../api/flow.ts'
import { idParams } from '../../api/params.ts'
import { type DeletedFlow, RESTORABLE_MS } from '../../contract/flow-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import { type FlowSummary, flowSummaries } from '../flow-summaries.ts'
import { isoTime, MANAGEMENT } from '../management.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'
import { sendTag } from '../save-flow.ts'
import { usedNamespaces } from '../stored-flow.ts'
import { presentFlow } from './chatflows.ts'

/** All flows at a glance, and those that were deleted. */
export function flowSummaryRoutes(platform: Platform): Route[] {
  const { flows } = platform
  const summarise = flowSummaries(platform)

  /** Names the flows that have filled a namespace meanwhile. */
  async function withHint(error: unknown, idOrSlug: string): Promise<unknown> {
    if (!(error instanceof SluiceError) || error.code !== 'namespace_taken') return error
    const flow = await flows.findDeleted(idOrSlug)
    const used = flow ? await usedNamespaces(flow, platform) : []
    const others = used.find(({ namespace }) => namespace === error.facts.namespace)?.sharedWith ?? []
    if (others.length === 0) return error
    const hint = `delete ${others.join(', ')} first, or give it another namespace and load it again`
    return new SluiceError('namespace_taken', { ...error.facts, hint })
  }

  return [
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/flows',
      summary: 'All flows without their drawings: contents, last upsert, number of problems, key',
      answer: { description: 'The one changed last first', shape: flowSummaryList },
      handle: async () => (await summarise()).map(presentSummary),
    }),
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/flows/deleted',
      summary: 'The flows that were deleted in the last thirty days and can be restored',
      answer: { description: 'The one deleted last first', shape: deletedFlowList },
      handle: async () => (await flows.deleted()).map(presentDeleted),
    }),
    route({
      ...MANAGEMENT,
      method: 'POST',
      url: '/api/v1/chatflows/:id/restore',
      summary: 'Restore a deleted flow with its chunks, history, messages and key',
      params: idParams,
      body: restoreBody,
      answer: { description: 'The flow', shape: shownFlow },
      async handle({ params, body, reply }) {
        try {
          const flow = await flows.restore(params.id, body.slug)
          sendTag(reply, flow)
          return presentFlow(flow)
        } catch (error) {
          throw await withHint(error, params.id)
        }
      },
    }),
  ]
}

const presentSummary = (flow: FlowSummary) => ({
  id: flow.id,
  slug: flow.slug,
  name: flow.name,
  type: flow.type,
  category: flow.category,
  createdDate: isoTime(flow.createdAt),
  updatedDate: isoTime(flow.updatedAt),
  revision: flow.revision,
  key: flow.key,
  chunks: flow.chunks,
  documents: flow.documents,
  problemCount: flow.problems,
  problem: flow.problem,
  lastUpsert: flow.lastUpsert && { ...flow.lastUpsert, at: isoTime(flow.lastUpsert.at) },
})

const presentDeleted = ({ flow, deletedAt, chunks, sources, bytes }: DeletedFlow) => ({
  id: flow.id,
  slug: flow.slug,
  name: flow.name,
  type: flow.type,
  deletedAt: isoTime(deletedAt),
  removedAt: isoTime(deletedAt + RESTORABLE_MS),
  chunks,
  documents: sources,
  diskBytes: bytes,
})
