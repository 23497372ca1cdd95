import { flowParams } from '../../api/params.ts'
import {
  sourceQuestions,
  sourceQuestionsQuery,
  sourceTrace,
  sourceTraceQuery,
} from '../../api/source-trace.ts'
import { SluiceError } from '../../kit/errors.ts'
import { toRange } from '../../kit/paging.ts'
import { requireOwnConversation } from '../chat/own-conversation.ts'
import { questionsOfSource } from '../chat/questions-of-source.ts'
import type { Platform } from '../platform.ts'
import { presentDropped } from '../present-dropped.ts'
import { type Route, route } from '../route.ts'
import { storeForCaller } from '../stored-flow.ts'

/** Where the words of a document went, and which questions have found them. */
export function sourceTraceRoutes(platform: Platform): Route[] {
  return [
    route({
      method: 'GET',
      url: '/api/v1/vector/sources/:flowId/trace',
      summary:
        'Where the words of a document went: how much of its text is in one chunk, in several, in none, where, and why',
      tag: 'vectors',
      access: { flow: 'query', or: 'upsert' },
      pinned: 'fenced',
      params: flowParams,
      query: sourceTraceQuery,
      answer: {
        description: 'Counts, a map of the lines, and a page of what is in no chunk',
        shape: sourceTrace,
      },
      async handle({ flow, fence, caller, query }) {
        const { source, chatId } = query
        await requireOwnConversation(platform, { flow, fence, caller }, chatId)
        const store = storeForCaller(platform, flow, query, await fence())
        const which = { source, conversation: chatId ? { flowId: flow.id, chatId } : undefined }
        const trace = await store.trace(which)
        if (!trace) throw new SluiceError('source_not_found', { source, flow: flow.slug })
        const text = await store.text({ ...which, version: 'newest', start: 0, end: 1 })
        const { offset, limit } = toRange(query)
        const { one, several, none } = trace.characters
        const all = one + several + none
        return {
          source,
          ...trace,
          characters: { one, several, none: trace.known ? none : null },
          share: trace.known ? (all === 0 ? 0 : none / all) : null,
          gaps: { data: trace.gaps.slice(offset, offset + limit), total: trace.gaps.length },
          dropped: text?.dropped?.map(presentDropped) ?? null,
        }
      },
    }),
    route({
      method: 'GET',
      url: '/api/v1/vector/sources/:flowId/questions',
      summary:
        'Which questions of conversations have found which chunks of a document, from the sources that stored answers have',
      tag: 'vectors',
      access: 'manage',
      params: flowParams,
      query: sourceQuestionsQuery,
      answer: {
        description: 'The chunks that were found, with their last questions',
        shape: sourceQuestions,
      },
      async handle({ params, query }) {
        return questionsOfSource(platform, params.flowId, query)
      },
    }),
  ]
}
