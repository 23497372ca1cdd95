import { z } from 'zod'
import { jsonObject, jsonValue, moment } from './json.ts'
import { executedNode, pendingAction, sourceDocument, usedTool } from './prediction.ts'

const RATINGS = ['THUMBS_UP', 'THUMBS_DOWN'] as const

/** What a person thinks of an answer. */
export const feedbackShape = z.object({
  id: z.string(),
  chatflowid: z.string(),
  chatId: z.string(),
  messageId: z.string(),
  rating: z.enum(RATINGS),
  content: z.string(),
  createdDate: moment,
})

/** A question or an answer, every column of Flowise's row there. */
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
  agentFlowExecutedData: z.array(executedNode).nullable(),
  fileUploads: z.array(jsonObject),
  chatType: z.enum(['INTERNAL', 'EXTERNAL']),
  chatId: z.string(),
  memoryType: z.string().nullable(),
  sessionId: z.string(),
  createdDate: moment,
  feedback: feedbackShape.optional(),
})

const uploadRule = z.object({ fileTypes: z.array(z.string()), maxUploadSize: z.number() })

/** What anybody may know of a flow's chat window; how it looks is its own. */
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
