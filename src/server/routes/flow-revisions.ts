import { flowRevisions, ifMatchHeader, revisionParams, savedRevision } from '../../api/flow-revision.ts'
import { savedFlow } from '../../api/flow.ts'
import { pageQuery } from '../../api/paging.ts'
import { idParams } from '../../api/params.ts'
import type { FlowRevision, FlowRow } from '../../contract/flow-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import { toRange } from '../../kit/paging.ts'
import { problemsOfSaved } from '../check-flow.ts'
import { isoTime, MANAGEMENT } from '../management.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'
import { saveFlow } from '../save-flow.ts'
import { findFlow } from '../../flow/find-flow.ts'
import { presentFlow } from './chatflows.ts'

/** The earlier versions of a flow. */
export function flowRevisionRoutes(platform: Platform): Route[] {
  const { flows } = platform
  const url = '/api/v1/chatflows/:id/revisions'

  async function find(params: { id: string; number: string }) {
    const { id } = await findFlow(flows, params.id)
    const found = await flows.revision(id, Number(params.number))
    if (!found) throw new SluiceError('revision_not_found', { flow: params.id, number: params.number })
    return found
  }

  return [
    route({
      ...MANAGEMENT,
      method: 'GET',
      url,
      summary: 'The saves of a flow, newest first: when, by which key, and which fields changed',
      params: idParams,
      query: pageQuery,
      answer: { description: 'At most 100 revisions and 20 MB of each flow are kept', shape: flowRevisions },
      async handle({ params, query }) {
        const { id } = await findFlow(flows, params.id)
        const { rows, total } = await flows.revisions(id, toRange(query))
        return { data: rows.map(presentRevision), total }
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: `${url}/:number`,
      summary: 'A flow as it was saved',
      params: revisionParams,
      answer: { description: 'The revision with its flow', shape: savedRevision },
      async handle({ params }) {
        const { revision, flow } = await find(params)
        return { ...presentRevision(revision), flow: presentFlow(flow) }
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'POST',
      url: `${url}/:number/restore`,
      summary: 'Save an earlier version as the newest one; slug and API key stay as they are',
      params: revisionParams,
      headers: ifMatchHeader,
      answer: { description: 'The flow, and what would be refused if it were called now', shape: savedFlow },
      async handle({ params, request, reply }) {
        const { flow } = await find(params)
        const saved = await saveFlow(flows, { id: params.id, request, reply }, (stored) =>
          restored(stored, flow),
        )
        return { ...presentFlow(saved), ...(await problemsOfSaved(platform, saved)) }
      },
    }),
  ]
}

/** Slug and key are not restored: the old slug may belong to another flow, the old key may be deleted, and no key would open the flow. */
const restored = (stored: FlowRow, { name, type, flowData, config }: FlowRow): FlowRow => ({
  ...stored,
  name,
  type,
  flowData,
  config,
  updatedAt: Math.max(Date.now(), stored.updatedAt),
})

const presentRevision = ({ savedAt, ...revision }: FlowRevision) => ({
  ...revision,
  savedAt: isoTime(savedAt),
})
