import { isoTime, removalAnswer, removedRows, requestedPage } from '../management.ts'
import type { z } from 'zod'
import { chatAborted, messageFilter, messageList, messageListQuery } from '../../api/chat.ts'
import { conversationParams, idParams } from '../../api/params.ts'
import type { ChatMessageRow, MessageFilter } from '../../contract/chat-message-store.ts'
import type { FeedbackRow } from '../../contract/feedback-store.ts'
import type { FlowRow } from '../../contract/flow-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import { isObject, type Json, type JsonObject } from '../../kit/json.ts'
import { toRange } from '../../kit/paging.ts'
import type { ChatRuns } from '../chat/runs.ts'
import { sessionOwner } from '../chat/turn.ts'
import { removeConversations } from '../chat/remove-conversations.ts'
import { presentFeedback } from './feedback.ts'
import type { FileLinks } from '../chat/file-links.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'

const filterOf = (query: z.output<typeof messageFilter>): MessageFilter => ({
  id: query.messageId,
  chatId: query.chatId,
  sessionId: query.sessionId,
  memoryType: query.memoryType,
  chatTypes: query.chatType,
  ratings: query.feedbackType,
  from: query.startDate === undefined ? undefined : Date.parse(query.startDate),
  to: query.endDate === undefined ? undefined : Date.parse(query.endDate),
})

export function chatMessageRoutes(platform: Platform, runs: ChatRuns, links: FileLinks): Route[] {
  const { messages, feedback } = platform
  const shared = { tag: 'management', access: 'manage', params: idParams } as const

  async function find(id: string): Promise<FlowRow> {
    const flow = await platform.flows.find(id)
    if (!flow) throw new SluiceError('flow_not_found', { flow: id })
    return flow
  }

  /** A row as Flowise's clients know it: every column is there. */
  function present(row: ChatMessageRow, said?: FeedbackRow): JsonObject {
    const { details } = row
    const uploads = Array.isArray(details.fileUploads) ? details.fileUploads : []
    return {
      id: row.id,
      role: row.role,
      chatflowid: row.flowId,
      content: row.content,
      ...Object.fromEntries(DETAILS.map((name) => [name, details[name] ?? null])),
      fileUploads: uploads.map(linked),
      chatType: row.chatType,
      chatId: row.chatId,
      memoryType: row.memoryType,
      sessionId: row.sessionId,
      createdDate: isoTime(row.createdAt),
      ...(said ? { feedback: presentFeedback(said) } : {}),
    }
  }

  const linked = (upload: Json): Json =>
    isObject(upload) && typeof upload.id === 'string'
      ? ({ ...upload, url: links.make(upload.id) } as JsonObject)
      : upload

  return [
    route({
      ...shared,
      method: 'GET',
      url: '/api/v1/chatmessage/:id',
      summary:
        'What was said in the chats of a flow, failed questions included; paged when page or limit is given',
      query: messageListQuery,
      answer: {
        description: 'A list of messages, or {data, total}',
        shape: messageList,
      },
      async handle({ params, query }) {
        const flow = await find(params.id)
        const page = requestedPage(query)
        const { rows, total } = await messages.list(flow.id, filterOf(query), {
          ascending: query.order === 'ASC',
          ...(page && toRange(page)),
        })
        const said = query.feedback ? await feedback.list(flow.id) : []
        const byMessage = new Map(said.map((row) => [row.messageId, row]))
        const data = rows.map((row) => present(row, byMessage.get(row.id)))
        return page ? { data, total } : data
      },
    }),
    route({
      ...shared,
      method: 'DELETE',
      url: '/api/v1/chatmessage/:id',
      summary:
        'Delete messages of a flow, with their files and feedback; without a filter all of them. What was loaded for a conversation goes with its last message',
      query: messageFilter,
      answer: removalAnswer,
      async handle({ params, query }) {
        const flow = await find(params.id)
        const { count, ended } = await messages.remove(flow.id, filterOf(query))
        const given = Object.values(query).filter((value) => value !== undefined).length
        const named = query.chatId !== undefined && given === 1 ? [query.chatId] : []
        await removeConversations(
          platform,
          flow.id,
          given === 0 ? undefined : [...new Set([...named, ...ended])],
        )
        return removedRows(count)
      },
    }),
    route({
      method: 'PUT',
      url: '/api/v1/chatmessage/abort/:flowId/:chatId',
      summary: 'Stop what is being answered in a chat',
      tag: 'predictions',
      access: { flow: 'predict', free: true },
      pages: 'allowed',
      params: conversationParams,
      answer: {
        description: 'Stopped, if there was something to stop',
        shape: chatAborted,
      },
      async handle({ params, flow, caller }) {
        const who = await caller()
        const meant = { flowId: flow.id, chatId: params.chatId, owner: sessionOwner(flow, who) }
        runs.abort(meant, { anyOwner: who === 'manager' })
        return { status: 200, message: 'Chat message aborted' }
      },
    }),
  ]
}

const DETAILS = [
  'sourceDocuments',
  'usedTools',
  'fileAnnotations',
  'agentReasoning',
  'reasonContent',
  'artifacts',
  'action',
  'leadEmail',
  'followUpPrompts',
  'executionId',
  'agentFlowExecutedData',
] as const
