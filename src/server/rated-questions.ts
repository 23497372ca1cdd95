import { type QuestionJudgement, QUESTION_LIMITS } from '../contract/question-store.ts'
import { questionKey } from '../documents/question-key.ts'
import type { FeedbackCandidates } from '../api/question.ts'
import type { ChatMessageRow } from '../contract/chat-message-store.ts'
import { isObject, type JsonObject } from '../kit/json.ts'
import type { Platform } from './platform.ts'

/** How many rated answers are looked at, the newest ones, and how many passages of one count. */
const MOST_RATED = 200
const MOST_PASSAGES = 4

/**
 * What visitors asked and rated, the newest first: questions that the flow does not have yet. The passages of an answer are only
 * candidates, since a visitor rates the answer; a person confirms them.
 */
export async function ratedQuestions(
  { feedback, messages, questions }: Pick<Platform, 'feedback' | 'messages' | 'questions'>,
  flowId: string,
): Promise<FeedbackCandidates['data']> {
  const known = await questions.list(flowId, { offset: 0, limit: QUESTION_LIMITS.questions })
  const keys = new Set(known.rows.map(({ text }) => questionKey(text)))
  const found: FeedbackCandidates['data'] = []
  const rated = (await feedback.list(flowId)).toReversed().slice(0, MOST_RATED)
  for (const { messageId, rating, chatId } of rated) {
    const answer = await messages.find(messageId)
    if (!answer) continue
    const judgements = passagesOf(answer, rating === 'THUMBS_UP' ? 1 : 0)
    const text =
      judgements.length > 0 ? await questionBefore(messages, { flowId, chatId, answer }) : undefined
    if (text === undefined || keys.has(questionKey(text))) continue
    keys.add(questionKey(text))
    found.push({ messageId, text, rating, judgements })
  }
  return found
}

async function questionBefore(
  messages: Platform['messages'],
  { flowId, chatId, answer }: { flowId: string; chatId: string; answer: ChatMessageRow },
): Promise<string | undefined> {
  const filter = { chatId, to: answer.createdAt }
  const { rows } = await messages.list(flowId, filter, { ascending: false, limit: 10 })
  const at = rows.findIndex(({ id }) => id === answer.id)
  const question = rows.slice(Math.max(0, at)).find(({ role }) => role === 'userMessage')
  const text = question?.content.trim() ?? ''
  return text === '' || text.length > QUESTION_LIMITS.text ? undefined : text
}

function passagesOf({ details }: ChatMessageRow, grade: number): QuestionJudgement[] {
  const documents = Array.isArray(details.sourceDocuments) ? details.sourceDocuments : []
  return documents.slice(0, MOST_PASSAGES).flatMap((document) => {
    const { pageContent, metadata } = isObject(document) ? (document as JsonObject) : {}
    const source = isObject(metadata) ? (metadata as JsonObject).source : undefined
    if (typeof source !== 'string' || typeof pageContent !== 'string' || pageContent.trim() === '') return []
    return [{ source, passage: { quote: pageContent.slice(0, QUESTION_LIMITS.quote) }, grade }]
  })
}
