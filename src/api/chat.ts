import { z } from 'zod'
import { CHAT_TYPES, FEEDBACK_RATINGS } from '../contract/chat-message.ts'
import { parseJson } from '../kit/json.ts'
import { count, jsonObject, jsonValue, moment } from './json.ts'
import { dateRange, listOf, order, pageIfAsked, pageOf, pageQuery } from './paging.ts'
import { executedNode, pendingAction, sourceDocument, usedTool } from './prediction.ts'

/** The rating of an answer by a person. */
export const feedbackShape = z.object({
  id: z.string(),
  chatflowid: z.string(),
  chatId: z.string(),
  messageId: z.string(),
  rating: z.enum(FEEDBACK_RATINGS),
  content: z.string(),
  createdDate: moment,
})

/** Why a question has no answer, or only the part of one. `cancelled`: it was stopped. */
export const answerFailure = z.object({
  code: z.string(),
  message: z.string(),
  hint: z.string().optional(),
  nodeId: z.string().optional(),
})

/** A question or an answer, with all columns of Flowise's row. */
export const messageShape = z.object({
  id: z.string(),
  role: z.enum(['userMessage', 'apiMessage']),
  chatflowid: z.string(),
  content: z.string(),
  sourceDocuments: z.array(sourceDocument).nullable(),
  usedTools: z.array(usedTool).nullable(),
  fileAnnotations: jsonValue,
  agentReasoning: jsonValue,
  reasonContent: jsonValue,
  artifacts: jsonValue,
  action: pendingAction.nullable(),
  leadEmail: z.string().nullable(),
  followUpPrompts: jsonValue,
  executionId: z.string().nullable(),
  failure: answerFailure.nullable(),
  agentFlowExecutedData: z.array(executedNode).nullable(),
  fileUploads: z.array(jsonObject),
  chatType: z.enum(CHAT_TYPES),
  chatId: z.string(),
  memoryType: z.string().nullable(),
  sessionId: z.string(),
  createdDate: moment,
  feedback: feedbackShape.optional(),
})

export type MessageAnswer = z.output<typeof messageShape>

/** A conversation of a flow. `waits`: its last answer asks a person for a decision. */
const conversationShape = z.object({
  chatId: z.string(),
  sessionId: z.string(),
  title: z.string(),
  messages: count,
  chatType: z.enum(CHAT_TYPES),
  waits: z.boolean(),
  failed: z.boolean(),
  createdDate: moment,
  updatedDate: moment,
})

export const conversationPage = pageOf(conversationShape)
export type ConversationAnswer = z.output<typeof conversationShape>
export const conversationListQuery = pageQuery.extend({ search: z.string().max(200).optional() })

export const messageList = listOf(messageShape)

/** One value or several; some clients send a list as JSON text. */
const several = <const T extends string>(values: readonly T[]) =>
  z
    .union([z.string(), z.array(z.string())])
    .transform((given) => [given].flat().flatMap((text) => parseJson(text) ?? text))
    .pipe(z.array(z.enum(values)))
    .optional()

/** Selects messages of a flow. */
export const messageFilter = z.object({
  chatId: z.string().optional(),
  sessionId: z.string().optional(),
  messageId: z.string().optional(),
  memoryType: z.string().optional(),
  chatType: several(CHAT_TYPES),
  feedbackType: several(FEEDBACK_RATINGS),
  ...dateRange.shape,
})

export const messageListQuery = pageIfAsked.extend({
  ...messageFilter.shape,
  order: order.default('ASC'),
  feedback: z.stringbool().optional(),
})

/** The answer to a client that stops a chat. */
export const chatAborted = z.object({ status: z.literal(200), message: z.string() })

/** Whether a flow streams its answer. */
export const streamingShape = z.object({ isStreaming: z.boolean() })

const uploadRule = z.object({ fileTypes: z.array(z.string()), maxUploadSize: z.number() })

/** The public settings of the chat window of a flow. Those for its looks are JSON of any form, stored and answered as it is. */
export const chatWindowShape = z.object({
  starterPrompts: jsonValue.optional(),
  chatFeedback: jsonValue.optional(),
  leads: jsonValue.optional(),
  fullFileUpload: jsonValue.optional(),
  botMessage: jsonValue.optional(),
  userMessage: jsonValue.optional(),
  textInput: jsonValue.optional(),
  feedback: jsonValue.optional(),
  title: jsonValue.optional(),
  titleAvatarSrc: jsonValue.optional(),
  welcomeMessage: jsonValue.optional(),
  errorMessage: jsonValue.optional(),
  backgroundColor: jsonValue.optional(),
  fontSize: jsonValue.optional(),
  poweredByTextColor: jsonValue.optional(),
  showAgentMessages: jsonValue.optional(),
  renderHTML: jsonValue.optional(),
  footer: jsonValue.optional(),
  disclaimer: jsonValue.optional(),
  dateTimeToggle: jsonValue.optional(),
  followUpPrompts: z.object({ status: z.boolean() }),
  uploads: z.object({
    isSpeechToTextEnabled: z.boolean(),
    isImageUploadAllowed: z.boolean(),
    isRAGFileUploadAllowed: z.boolean(),
    imgUploadSizeAndTypes: z.array(uploadRule),
    fileUploadSizeAndTypes: z.array(uploadRule),
  }),
  isTTSEnabled: z.boolean(),
  flowData: z.string(),
})

export type ChatWindow = z.output<typeof chatWindowShape>
