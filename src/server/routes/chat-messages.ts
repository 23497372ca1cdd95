import type { z } from 'zod'
import { chatAborted, messageFilter, messageList, messageListQuery } from '../../api/chat.ts'
import { conversationParams, flowParams, idParams } from '../../api/params.ts'
import type { AgentOutcome } from '../../contract/agent.ts'
import type { ChatMessageRow, MessageFilter } from '../../contract/chat-message-store.ts'
import type { FeedbackRow } from '../../contract/feedback-store.ts'
import type { FlowRow } from '../../contract/flow-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import { isObject, type Json, type JsonObject } from '../../kit/json.ts'
import { toRange } from '../../kit/paging.ts'
import type { FileLinks } from '../chat/file-links.ts'
import { outcomeForVisitor } from '../chat/manager-facts.ts'
import { removeConversations } from '../chat/remove-conversations.ts'
import type { ChatRuns } from '../chat/runs.ts'
import { type ChatCaller, MANAGER, sessionOwner } from '../chat/turn.ts'
import {
  MANAGEMENT,
  requestedRange,
  isoTime,
  removalAnswer,
  removedRows,
  requestedPage,
} from '../management.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'
import { findFlow } from '../../flow/find-flow.ts'
import { presentFeedback } from './feedback.ts'

const filterOf = (query: z.output<typeof messageFilter>): MessageFilter => ({
  id: query.messageId,
  chatId: query.chatId,
  sessionId: query.sessionId,
  memoryType: query.memoryType,
  chatTypes: query.chatType,
  ratings: query.feedbackType,
  ...requestedRange(query),
})

export function chatMessageRoutes(platform: Platform, runs: ChatRuns, links: FileLinks): Route[] {
  const { messages, feedback } = platform
  const shared = { ...MANAGEMENT, params: idParams } as const

  /** A row with every column, as clients of Flowise expect it. */
  function present(row: ChatMessageRow, feedback?: FeedbackRow): JsonObject {
    const { details } = row
    const uploads = Array.isArray(details.fileUploads) ? details.fileUploads : []
    return {
      id: row.id,
      role: row.role,
      chatflowid: row.flowId,
      content: row.content,
      ...Object.fromEntries(DETAILS.map((name) => [name, details[name] ?? null])),
      fileUploads: uploads.map(withLink),
      chatType: row.chatType,
      chatId: row.chatId,
      memoryType: row.memoryType,
      sessionId: row.sessionId,
      createdDate: isoTime(row.createdAt),
      ...(feedback ? { feedback: presentFeedback(feedback) } : {}),
    }
  }

  const withLink = (upload: Json): Json =>
    isObject(upload) && typeof upload.id === 'string'
      ? ({ ...upload, url: links.make(upload.id) } as JsonObject)
      : upload

  /** Others than managers read one conversation, which must be theirs. @throws SluiceError `body_invalid`, `session_taken` */
  async function requireOwn(
    flow: FlowRow,
    { chatId, sessionId = chatId }: { chatId?: string | undefined; sessionId?: string | undefined },
    caller: ChatCaller,
  ): Promise<void> {
    if (chatId === undefined || sessionId === undefined)
      throw new SluiceError('body_invalid', {
        reason: 'a key without the scope manage reads one conversation: name its chatId',
      })
    await messages.requireOwner(
      { flowId: flow.id, chatId, sessionId },
      sessionOwner(flow, caller),
      caller.fence !== undefined,
    )
  }

  return [
    route({
      ...shared,
      method: 'GET',
      url: '/api/v1/chatmessage/:flowId',
      summary:
        'The messages of a flow, including failed questions; for a key without manage, those of one conversation of its own (chatId). A page of them with page or limit',
      access: { flow: 'predict', free: true },
      audited: true,
      pinned: 'fenced',
      params: flowParams,
      query: messageListQuery,
      answer: {
        description: 'A list of messages, or {data, total}',
        shape: messageList,
      },
      async handle({ flow, query, caller, fence, hasKey }) {
        // Everybody may ask an open flow, and nobody but the holder of a key reads what was asked.
        if (!(await hasKey())) throw new SluiceError('unauthorized')
        const name = await caller()
        if (name !== MANAGER.name) await requireOwn(flow, query, { name, fence: await fence() })
        const page = requestedPage(query)
        const { rows, total } = await messages.list(flow.id, filterOf(query), {
          ascending: query.order === 'ASC',
          ...(page && toRange(page)),
        })
        const feedbackRows = query.feedback ? await feedback.list(flow.id) : []
        const byMessage = new Map(feedbackRows.map((row) => [row.messageId, row]))
        const shown = name === MANAGER.name ? rows : rows.map(forVisitor)
        const data = shown.map((row) => present(row, byMessage.get(row.id)))
        return page ? { data, total } : data
      },
    }),
    route({
      ...shared,
      method: 'DELETE',
      url: '/api/v1/chatmessage/:id',
      summary:
        'Delete messages of a flow with their files and feedback; without a filter, all. With the last message of a conversation its documents are deleted too',
      query: messageFilter,
      answer: removalAnswer,
      async handle({ params, query }) {
        const flow = await findFlow(platform.flows, params.id)
        const { count, ended } = await messages.remove(flow.id, filterOf(query))
        const filters = Object.values(query).filter((value) => value !== undefined).length
        // A conversation may have documents but no message.
        const named = query.chatId !== undefined && filters === 1 ? [query.chatId] : []
        const conversations = filters === 0 ? undefined : [...new Set([...named, ...ended])]
        await removeConversations(platform, flow.id, conversations)
        return removedRows(count)
      },
    }),
    route({
      method: 'PUT',
      url: '/api/v1/chatmessage/abort/:flowId/:chatId',
      summary: 'Stop the answers in progress of a conversation',
      tag: 'predictions',
      access: { flow: 'predict', free: true },
      // It stops runs of the same owner only.
      pinned: 'fenced',
      pages: 'allowed',
      params: conversationParams,
      answer: {
        description: 'Also if no answer was in progress',
        shape: chatAborted,
      },
      async handle({ params, flow, caller, fence }) {
        const name = await caller()
        const run = {
          flowId: flow.id,
          chatId: params.chatId,
          owner: sessionOwner(flow, { name, fence: await fence() }),
        }
        await runs.abort(run, { anyOwner: name === MANAGER.name })
        return { status: 200, message: 'Chat message aborted' }
      },
    }),
  ]
}

/** A message without what only managers get: see `outcomeForVisitor`. */
function forVisitor(row: ChatMessageRow): ChatMessageRow {
  const { executionId: _, ...details } = row.details
  // Stored details are those of an outcome.
  return { ...row, details: outcomeForVisitor(details as unknown as AgentOutcome) as unknown as JsonObject }
}

/** The columns of a message that are stored together. */
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
  'failure',
] as const
