import { asyncQuery, jobHeaders } from '../../api/job-request.ts'
import { flowParams } from '../../api/params.ts'
import { loadComparison, refreshBody, refreshQuery } from '../../api/refresh.ts'
import { upsertShape } from '../../api/upsert.ts'
import type { StorePart } from '../../contract/card.ts'
import { flowLoadSettings } from '../../flow/load-settings.ts'
import { settingChangeText } from '../../flow/setting-change.ts'
import { planRetrieval } from '../../flow/plan-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { Json } from '../../kit/json.ts'
import { fencedServices } from '../../stores/fenced-services.ts'
import { requireManager } from '../access.ts'
import { readPasswords } from '../file-passwords.ts'
import { acceptedAnswer, answerJob, idempotencyOf } from '../job-request.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'
import { flowSource } from '../../flow/find-flow.ts'

/** The embedder of the stored vectors and that of the flow, where they differ; their engines may differ too. */
async function otherVectors({ store, embedder }: StorePart) {
  try {
    const from = await store.embedder()
    const differs = from !== undefined && from !== embedder.id
    return { differs, embedder: differs ? { from, to: embedder.id } : null }
  } catch (error) {
    if (!(error instanceof SluiceError) || error.code !== 'engine_changed') throw error
    return { differs: true, embedder: null }
  }
}

/** What a flow without a store that works answers: it holds nothing that could differ, or its upsert says what is wrong. */
const NOTHING = {
  ...{ next: null, differing: 0, fromKept: 0, fromLoaders: 0, unknownSettings: 0, embedders: null },
  filesNeeded: { count: 0, names: [] },
  differences: [],
}

function storePartOf(plan: () => StorePart): StorePart | undefined {
  try {
    return plan()
  } catch (error) {
    // The flow cannot run as it is drawn: each other request of it says why.
    if (error instanceof SluiceError && (error.status === 422 || error.code === 'flow_invalid'))
      return undefined
    throw error
  }
}

export function refreshRoutes(platform: Platform): Route[] {
  const { catalog, flowDrafts, jobs, nodeServices, upserts } = platform
  return [
    route({
      method: 'GET',
      url: '/api/v1/vector/refresh/:flowId',
      summary:
        'Documents of a flow that were loaded with other settings than it has now, or its draft, and what to do',
      tag: 'vectors',
      access: { flow: 'upsert' },
      pinned: 'fenced',
      params: flowParams,
      query: refreshQuery,
      answer: { description: 'What differs, and for how many documents', shape: loadComparison },
      async handle({ flow, fence, query, request }) {
        const stopNodeId = query.stopNodeId || undefined
        if (query.draft) await requireManager(request)
        const draft = query.draft ? await flowDrafts.find(flow.id) : undefined
        if (query.draft && !draft) throw new SluiceError('draft_not_found', { flow: flow.slug })
        const source = { ...flowSource(flow), ...(draft ? { flowData: draft.flowData } : {}) }
        const services = fencedServices(nodeServices, await fence())
        const context = { catalog, nodeServices: services }
        const part = storePartOf(() => planRetrieval(context, source, { overrides: {}, stopNodeId }).part)
        // The documents of a store of another flow are refreshed there.
        if (!part || part.open) return NOTHING
        // Loaded when it is first needed, as the rest of a refresh.
        const { compareStore } = await import('../../upsert/stale-loads.ts')
        const now = flowLoadSettings(catalog, source, stopNodeId)
        const { differences, unknown, missing } = await compareStore(part.store, {
          ...{ catalog, flowId: flow.id, now, parser: nodeServices.parser },
        })
        const { differs, embedder } = await otherVectors(part)
        const sum = (of: (one: (typeof differences)[number]) => number) =>
          differences.reduce((total, one) => total + of(one), 0)
        const kept = sum((one) => (one.finds ? 0 : one.originals))
        const found = sum((one) => (one.finds ? one.sources : 0))
        return {
          next: differs
            ? ('reindex' as const)
            : kept + found > 0
              ? ('refresh' as const)
              : missing.count > 0
                ? ('send' as const)
                : null,
          differing: kept + found + missing.count,
          fromKept: kept,
          fromLoaders: found,
          filesNeeded: missing,
          unknownSettings: unknown.sources,
          embedders: embedder,
          differences: differences.map(({ sources, changes }) => ({
            differing: sources,
            summary: changes.map(settingChangeText).join(', '),
            changes,
          })),
        }
      },
    }),
    route({
      method: 'POST',
      url: '/api/v1/vector/refresh/:flowId',
      summary:
        'Load documents of a flow again that were loaded with other settings than it has now: from kept files, and with the loaders that find theirs',
      tag: 'vectors',
      access: { flow: 'upsert' },
      pinned: 'fenced',
      params: flowParams,
      query: asyncQuery,
      body: refreshBody,
      headers: jobHeaders,
      answer: {
        description:
          'The outcome for each document, as of an upsert, and the files that would have to be sent again',
        shape: upsertShape,
      },
      also: [acceptedAnswer],
      async handle({ flow, request, reply, query, body, caller, owner, fence }) {
        const stopNodeId = body.stopNodeId || undefined
        const { password, ...rest } = body
        const passwords = readPasswords(password ?? null)
        const prepared = upserts.prepareRefresh(flowSource(flow), {
          ...{ stopNodeId, passwords, fence: await fence() },
        })
        const content = ['refresh', rest as Json]
        const submitted = await jobs.submit({
          ...prepared,
          kind: 'upsert',
          flowId: flow.id,
          owner: await owner(),
          idempotency: await idempotencyOf(request, { flowId: flow.id, caller, content }),
        })
        return answerJob(platform, submitted, { request, reply, async: query.async })
      },
    }),
  ]
}
