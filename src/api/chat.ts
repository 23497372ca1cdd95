import { z } from 'zod'
import { CHAT_TYPES, FEEDBACK_RATINGS } from '../contract/chat-message.ts'
import { parseJson } from '../kit/json.ts'
import { common, doc, docs, EXAMPLE_ID } from './doc.ts'
import { count, jsonObject, jsonValue, moment } from './json.ts'
import { dateRange, listOf, order, pageIfAsked, pageOf, pageQuery } from './paging.ts'
import { executedNode, pendingAction, sourceDocument, usedTool } from './prediction.ts'

/** The rating of an answer by a person. */
export const feedbackShape = z.object({
  id: z.string().register(docs, doc('The id of the feedback, a UUID', EXAMPLE_ID)),
  chatflowid: z.string().register(docs, doc('The id of the flow', EXAMPLE_ID)),
  chatId: z.string().register(docs, common.chatId),
  messageId: z.string().register(docs, doc('The id of the answer that is rated', EXAMPLE_ID)),
  rating: z.enum(FEEDBACK_RATINGS).register(docs, doc('The rating of the answer', 'THUMBS_UP')),
  content: z.string().register(docs, doc('The comment; empty for none', 'Helpful')),
  createdDate: moment.meta(common.created),
})

/** Why a question has no answer, or only the part of one. `cancelled`: it was stopped. */
export const answerFailure = z.object({
  code: z.string().register(docs, doc('The code of the error', 'provider_failed')),
  message: z.string().register(docs, doc('Why, in one sentence', 'The provider answered with status 500')),
  hint: z
    .string()
    .optional()
    .register(docs, doc('What to do about it', 'Choose a credential in the chat model')),
  nodeId: z.string().optional().register(docs, doc('The id of the node that failed', 'chatOpenAI_0')),
})

/** A question or an answer, with all columns of Flowise's row. */
export const messageShape = z.object({
  id: z.string().register(docs, doc('The id of the message, a UUID', EXAMPLE_ID)),
  role: z
    .enum(['userMessage', 'apiMessage'])
    .register(docs, doc('Who wrote it: userMessage is a question, apiMessage an answer', 'userMessage')),
  chatflowid: z.string().register(docs, doc('The id of the flow', EXAMPLE_ID)),
  content: z.string().register(docs, doc('The text of the message', 'How long is the notice period?')),
  sourceDocuments: z.array(sourceDocument).nullable().register(docs, common.sourceDocuments),
  usedTools: z.array(usedTool).nullable().register(docs, common.usedTools),
  fileAnnotations: jsonValue.meta(doc('Kept for clients of Flowise', null)),
  agentReasoning: jsonValue.meta(doc('Kept for clients of Flowise', null)),
  reasonContent: jsonValue.meta(
    doc('What the model thought before the answer, and for how many milliseconds', {
      thinking: 'A short one.',
      thinkingDuration: 900,
    }),
  ),
  artifacts: jsonValue.meta(doc('Kept for clients of Flowise', null)),
  action: pendingAction
    .nullable()
    .register(docs, doc('The decision that the run waits for; null for none', null)),
  leadEmail: z
    .string()
    .nullable()
    .register(docs, doc('The mail address that the visitor gave; null for none', 'ada@example.com')),
  followUpPrompts: jsonValue.meta(doc('Kept for clients of Flowise', null)),
  executionId: z
    .string()
    .nullable()
    .register(
      docs,
      doc('The id of the run, for GET /api/v1/executions; for a chat flow only managers get it', EXAMPLE_ID),
    ),
  failure: answerFailure.nullable().register(
    docs,
    doc('Why the question has no answer, or the answer no end; code cancelled where it was stopped', {
      code: 'provider_failed',
      message: 'The provider answered with status 500',
    }),
  ),
  agentFlowExecutedData: z
    .array(executedNode)
    .nullable()
    .register(docs, doc('The nodes of an agent flow that have run, in order', [])),
  fileUploads: z
    .array(jsonObject)
    .register(docs, doc('Pictures of the question, each with a link that expires', [])),
  chatType: z
    .enum(CHAT_TYPES)
    .register(docs, doc('INTERNAL for questions of a manager, EXTERNAL for all others', 'EXTERNAL')),
  chatId: z.string().register(docs, common.chatId),
  memoryType: z.string().nullable().register(docs, doc('The kind of memory of the flow', 'Buffer Memory')),
  sessionId: z.string().register(docs, common.sessionId),
  createdDate: moment.meta(common.created),
  feedback: feedbackShape
    .optional()
    .register(docs, doc('The feedback on the answer; absent for none', { rating: 'THUMBS_UP' })),
})

export type MessageAnswer = z.output<typeof messageShape>

/** A conversation of a flow. `waits`: its last answer asks a person for a decision. */
const conversationShape = z.object({
  chatId: z.string().register(docs, common.chatId),
  sessionId: z.string().register(docs, common.sessionId),
  title: z
    .string()
    .register(docs, doc('The beginning of the first question', 'How long is the notice period?')),
  messages: count.meta(doc('The number of questions and answers', 4)),
  chatType: z
    .enum(CHAT_TYPES)
    .register(docs, doc('INTERNAL for questions of a manager, EXTERNAL for all others', 'EXTERNAL')),
  waits: z.boolean().register(docs, doc('Whether the last answer waits for the decision of a person', false)),
  failed: z.boolean().register(docs, doc('Whether the last question has no complete answer', false)),
  createdDate: moment.meta(common.created),
  updatedDate: moment.meta(common.changed),
})

export const conversationPage = pageOf(conversationShape)
export type ConversationAnswer = z.output<typeof conversationShape>
export const conversationListQuery = pageQuery.extend({
  search: z
    .string()
    .max(200)
    .optional()
    .register(
      docs,
      doc(
        'Only conversations with this in the texts of their messages; each letter in either case',
        'notice',
      ),
    ),
})

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
  chatId: z.string().optional().register(docs, doc('Only rows of this conversation', 'chat-1')),
  sessionId: z.string().optional().register(docs, doc('Only rows of this session', 'chat-1')),
  messageId: z.string().optional().register(docs, doc('Only this message', EXAMPLE_ID)),
  memoryType: z
    .string()
    .optional()
    .register(docs, doc('Only messages of flows with this kind of memory', 'Buffer Memory')),
  chatType: several(CHAT_TYPES).register(
    docs,
    doc(
      'Only messages of these kinds: INTERNAL for questions of a manager, EXTERNAL for all others',
      'EXTERNAL',
    ),
  ),
  feedbackType: several(FEEDBACK_RATINGS).register(
    docs,
    doc('Only messages with this feedback', 'THUMBS_UP'),
  ),
  ...dateRange.shape,
})

export const messageListQuery = pageIfAsked.extend({
  ...messageFilter.shape,
  order: order.default('ASC').register(docs, doc('ASC: oldest first; DESC: newest first', 'DESC')),
  feedback: z
    .stringbool()
    .optional()
    .register(docs, doc('Whether each message has the feedback on it', 'true')),
})

/** The answer to a client that stops a chat. */
export const chatAborted = z.object({
  status: z.literal(200).register(docs, doc('Always 200')),
  message: z.string().register(docs, doc('That it was stopped', 'Chat message aborted')),
})

/** Whether a flow streams its answer. */
export const streamingShape = z.object({
  isStreaming: z.boolean().register(docs, doc('Whether the flow streams its answer')),
})

const uploadRule = z.object({
  fileTypes: z.array(z.string()).register(docs, doc('The media types', ['image/png'])),
  maxUploadSize: z.number().register(docs, doc('The maximum size in megabytes', 5)),
})

/** The public settings of the chat window of a flow. Those for its looks are JSON of any form, stored and answered as it is. */
export const chatWindowShape = z.object({
  starterPrompts: jsonValue.optional().register(docs, doc('Suggested first questions', {})),
  chatFeedback: jsonValue
    .optional()
    .register(docs, doc('Whether visitors can rate answers', { status: true })),
  leads: jsonValue
    .optional()
    .register(docs, doc('Whether the window asks visitors for their name', { status: false })),
  fullFileUpload: jsonValue
    .optional()
    .register(docs, doc('Whether visitors can send files with a question', { status: true })),
  botMessage: jsonValue.optional().register(docs, doc('The look of answers', { backgroundColor: '#ffffff' })),
  userMessage: jsonValue
    .optional()
    .register(docs, doc('The look of questions', { backgroundColor: '#3b81f6' })),
  textInput: jsonValue
    .optional()
    .register(docs, doc('The look of the input field', { placeholder: 'Ask a question' })),
  feedback: jsonValue.optional().register(docs, doc('The look of the buttons for feedback', {})),
  title: jsonValue.optional().register(docs, doc('The title of the window', 'Handbook')),
  titleAvatarSrc: jsonValue
    .optional()
    .register(docs, doc('The web address of the picture beside the title', 'https://example.com/logo.svg')),
  welcomeMessage: jsonValue
    .optional()
    .register(docs, doc('The first message in the window', 'Hello, what can I do for you?')),
  errorMessage: jsonValue
    .optional()
    .register(docs, doc('The message in the window when a question fails', 'That did not work.')),
  backgroundColor: jsonValue.optional().register(docs, doc('The background colour of the window', '#ffffff')),
  fontSize: jsonValue.optional().register(docs, doc('The size of the text, in pixels', 16)),
  poweredByTextColor: jsonValue.optional().register(docs, doc('The text colour of the last line', '#303235')),
  showAgentMessages: jsonValue
    .optional()
    .register(docs, doc('Whether the steps of an agent are shown', true)),
  renderHTML: jsonValue.optional().register(docs, doc('Whether HTML in answers is rendered', false)),
  footer: jsonValue.optional().register(docs, doc('The last line', { text: 'Powered by' })),
  disclaimer: jsonValue.optional().register(docs, doc('A text that the visitor must accept first', {})),
  dateTimeToggle: jsonValue
    .optional()
    .register(docs, doc('Whether date and time are shown', { date: true, time: true })),
  followUpPrompts: z
    .object({ status: z.boolean().register(docs, doc('Always false', false)) })
    .register(docs, doc('Suggested next questions; this server makes none', { status: false })),
  uploads: z
    .object({
      isSpeechToTextEnabled: z
        .boolean()
        .register(docs, doc('Whether recordings are taken: speechToText of the flow names a service', false)),
      isImageUploadAllowed: z.boolean().register(docs, doc('Whether a question may have pictures', false)),
      isRAGFileUploadAllowed: z
        .boolean()
        .register(docs, doc('Whether a question may have files to load into the store of the flow', false)),
      imgUploadSizeAndTypes: z
        .array(uploadRule)
        .register(docs, doc('Types and sizes of pictures', [{ fileTypes: ['image/png'], maxUploadSize: 5 }])),
      fileUploadSizeAndTypes: z
        .array(uploadRule)
        .register(
          docs,
          doc('Types and sizes of files', [{ fileTypes: ['application/pdf'], maxUploadSize: 2048 }]),
        ),
    })
    .register(docs, doc('The files that a question may have', { isImageUploadAllowed: false })),
  isTTSEnabled: z.boolean().register(docs, doc('Always false', false)),
  flowData: z
    .string()
    .register(
      docs,
      doc('The start node of an agent flow with its form, as JSON text', '{"nodes":[],"edges":[]}'),
    ),
})

export type ChatWindow = z.output<typeof chatWindowShape>
