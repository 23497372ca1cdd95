import { z } from 'zod'
import { FEEDBACK_RATINGS } from '../contract/chat-message.ts'
import { feedbackShape } from './chat.ts'
import { common, doc, docs, EXAMPLE_ID } from './doc.ts'

const content = z.string().max(10_000)
const rating = z.enum(FEEDBACK_RATINGS)

export const feedbackBody = z.looseObject({
  chatId: z.string().register(docs, common.chatId),
  messageId: z.string().register(docs, doc('The id of the answer that is rated', EXAMPLE_ID)),
  rating: rating.meta(doc('The rating of the answer', 'THUMBS_UP')),
  content: content.nullish().register(docs, doc('A comment, at most 10,000 characters', 'Helpful')),
})
export const feedbackPatch = z.looseObject({
  rating: rating.nullish().register(docs, doc('The rating of the answer', 'THUMBS_UP')),
  content: content.nullish().register(docs, doc('A comment, at most 10,000 characters', 'Helpful')),
})

export const feedbackList = z.array(feedbackShape)
export const feedbackChanged = z.object({ status: z.literal('OK').register(docs, doc('Always OK')) })
