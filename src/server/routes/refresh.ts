import { asyncQuery, jobHeaders } from '../../api/job-request.ts'
import { flowParams } from '../../api/params.ts'
import { loadComparison, refreshBody, refreshQuery } from '../../api/refresh.ts'
import { upsertShape } from '../../api/upsert.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { Json } from '../../kit/json.ts'
import { requireManager } from '../access.ts'
import { compareFlowLoads } from '../compare-flow-loads.ts'
import { readPasswords } from '../file-passwords.ts'
import { idempotencyOf } from '../../jobs/submit.ts'
import { acceptedAnswer, answerJob } from '../job-answer.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'
import { flowSource } from '../../flow/find-flow.ts'

export function refreshRoutes(platform: Platform): Route[] {
  const { flowDrafts, jobs, upserts } = platform
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
        return compareFlowLoads(platform, source, { fence: await fence(), stopNodeId })
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
