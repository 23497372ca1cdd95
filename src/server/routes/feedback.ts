import { MANAGEMENT, isoTime } from '../management.ts'
import { feedbackShape } from '../../api/chat.ts'
import { feedbackBody, feedbackChanged, feedbackList, feedbackPatch } from '../../api/feedback.ts'
import { flowParams, idParams } from '../../api/params.ts'
import { SluiceError } from '../../kit/errors.ts'
import { randomId } from '../../kit/hash.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'
import type { FeedbackRow } from '../../contract/feedback-store.ts'

/** What people think of answers. Who may ask a flow may say so; only a manager reads it. */
export function feedbackRoutes({ messages, feedback, flows }: Platform): Route[] {
  const shared = { tag: 'predictions', pages: 'allowed' } as const
  return [
    route({
      ...shared,
      method: 'POST',
      url: '/api/v1/feedback/:flowId',
      summary: 'Thumbs up or down for an answer; a second one replaces the first',
      access: { flow: 'predict', free: true },
      params: flowParams,
      body: feedbackBody,
      answer: { description: 'The feedback', shape: feedbackShape },
      async handle({ flow, body }) {
        const message = await messages.find(body.messageId)
        if (message?.flowId !== flow.id || message.chatId !== body.chatId)
          throw new SluiceError('message_not_found')
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
      summary: 'Say more about an answer',
      access: { flow: 'predict', by: 'feedback', free: true },
      params: idParams,
      body: feedbackPatch,
      answer: { description: 'Done', shape: feedbackChanged },
      async handle({ params, body }) {
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
      summary: 'All feedback on a flow',
      ...MANAGEMENT,
      params: idParams,
      answer: { description: 'The feedback, oldest first', shape: feedbackList },
      async handle({ params }) {
        const flow = await flows.find(params.id)
        if (!flow) throw new SluiceError('flow_not_found', { flow: params.id })
        return (await feedback.list(flow.id)).map(presentFeedback)
      },
    }),
  ]
}

/** A row as Flowise's clients know it. */
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
