import { z } from 'zod'
import { FEEDBACK_RATINGS } from '../contract/chat-message.ts'
import { feedbackShape } from './chat.ts'

const content = z.string().max(10_000)
const rating = z.enum(FEEDBACK_RATINGS)

export const feedbackBody = z.looseObject({
  chatId: z.string(),
  messageId: z.string(),
  rating,
  content: content.nullish(),
})
export const feedbackPatch = z.looseObject({ rating: rating.nullish(), content: content.nullish() })

export const feedbackList = z.array(feedbackShape)
export const feedbackChanged = z.object({ status: z.literal('OK') })
