import { conversationListQuery, conversationPage } from '../../api/chat.ts'
import { idParams } from '../../api/params.ts'
import type { ChatMessageRow } from '../../contract/chat-message-store.ts'
import { toRange } from '../../kit/paging.ts'
import { isoTime, MANAGEMENT } from '../management.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'
import { findFlow } from '../../flow/find-flow.ts'

/** The most characters of a title. */
const TITLE = 200

/** The conversations with a flow. They contain texts of users: only managers read them. */
export function conversationRoutes({ flows, messages }: Platform): Route[] {
  return [
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/chatflows/:id/conversations',
      summary: 'The conversations with a flow, the last used first; a search looks in all of their messages',
      params: idParams,
      query: conversationListQuery,
      answer: { description: 'A page of conversations', shape: conversationPage },
      async handle({ params, query }) {
        const flow = await findFlow(flows, params.id)
        const { rows, total } = await messages.conversations(flow.id, {
          ...toRange(query),
          search: query.search || undefined,
        })
        const data = rows.map(({ chatId, first, last, messages: count }) => ({
          chatId,
          sessionId: first.sessionId,
          title: first.content.trim().replace(/\s+/g, ' ').slice(0, TITLE),
          messages: count,
          chatType: first.chatType,
          waits: has(last, 'action'),
          failed: has(last, 'failure'),
          createdDate: isoTime(first.createdAt),
          updatedDate: isoTime(last.createdAt),
        }))
        return { data, total }
      },
    }),
  ]
}

const has = ({ details }: ChatMessageRow, name: string): boolean => details[name] != null
