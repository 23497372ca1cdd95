import { feedbackShape } from '../../api/chat.ts'
import { feedbackBody, feedbackChanged, feedbackList, feedbackPatch } from '../../api/feedback.ts'
import { flowParams, idParams } from '../../api/params.ts'
import type { ChatMessageRow } from '../../contract/chat-message-store.ts'
import type { FeedbackRow } from '../../contract/feedback-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import { randomId } from '../../kit/hash.ts'
import { sessionOwner } from '../chat/turn.ts'
import { MANAGEMENT, isoTime } from '../management.ts'
import type { Platform } from '../platform.ts'
import { type Call, type Route, route } from '../route.ts'
import { findFlow } from '../../flow/find-flow.ts'

type RatingCall = Pick<Call<unknown, unknown, unknown>, 'flow' | 'caller' | 'fence'>

/** Feedback on answers. A caller that may ask the flow writes it; only a manager reads it. */
export function feedbackRoutes({ messages, feedback, flows }: Platform): Route[] {
  const shared = { tag: 'predictions', pages: 'allowed', pinned: 'fenced' } as const

  /** A caller with a pinned key rates only the answers of its own sessions. @throws SluiceError `session_taken` */
  async function requireOwnSession({ flow, caller, fence: ofCaller }: RatingCall, message: ChatMessageRow) {
    const fence = await ofCaller()
    if (!fence) return
    await messages.requireOwner(message, sessionOwner(flow, { name: await caller(), fence }), true)
  }

  return [
    route({
      ...shared,
      method: 'POST',
      url: '/api/v1/feedback/:flowId',
      summary: 'Rate an answer; a second rating replaces the first',
      access: { flow: 'predict', free: true },
      params: flowParams,
      body: feedbackBody,
      answer: { description: 'The feedback', shape: feedbackShape },
      async handle({ flow, body, caller, fence }) {
        const message = await messages.find(body.messageId)
        if (message?.flowId !== flow.id || message.chatId !== body.chatId)
          throw new SluiceError('message_not_found')
        await requireOwnSession({ flow, caller, fence }, message)
        const row = await feedback.put({
          id: randomId(),
          flowId: flow.id,
          chatId: body.chatId,
          messageId: body.messageId,
          rating: body.rating,
          content: body.content ?? '',
          createdAt: Date.now(),
        })
        return presentFeedback(row)
      },
    }),
    route({
      ...shared,
      method: 'PUT',
      url: '/api/v1/feedback/:id',
      summary: 'Change the rating or comment on an answer',
      access: { flow: 'predict', by: 'feedback', free: true },
      params: idParams,
      body: feedbackPatch,
      answer: { description: 'Done', shape: feedbackChanged },
      async handle({ params, body, flow, caller, fence }) {
        const row = await feedback.find(params.id)
        const message = row && (await messages.find(row.messageId))
        if (message) await requireOwnSession({ flow, caller, fence }, message)
        await feedback.update(params.id, {
          ...(body.rating == null ? {} : { rating: body.rating }),
          ...(body.content == null ? {} : { content: body.content }),
        })
        return { status: 'OK' }
      },
    }),
    route({
      method: 'GET',
      url: '/api/v1/feedback/:id',
      summary: 'All feedback on the answers of a flow',
      ...MANAGEMENT,
      params: idParams,
      answer: { description: 'The feedback, oldest first', shape: feedbackList },
      async handle({ params }) {
        const { id } = await findFlow(flows, params.id)
        return (await feedback.list(id)).map(presentFeedback)
      },
    }),
  ]
}

/** Feedback as clients of Flowise expect it. */
export const presentFeedback = ({
  id,
  flowId,
  chatId,
  messageId,
  rating,
  content,
  createdAt,
}: FeedbackRow) => ({
  id,
  chatflowid: flowId,
  chatId,
  messageId,
  rating,
  content,
  createdDate: isoTime(createdAt),
})
