import type {
  ChatFile,
  ChatMessageRow,
  ChatMessageStore,
  MessageFilter,
  NewQuestion,
  RemovedMessages,
} from '../../contract/chat-message-store.ts'
import type { JsonObject } from '../../kit/json.ts'
import { CHAT_MESSAGE_COLUMNS, chatMessageFromRow } from '../rows/chat-message.ts'
import { ownerOfQuestion, requireSameOwner } from '../rows/chat-owner.ts'
import type { SqlDatabase, SqlSession, SqlWrite } from '../sql/session.ts'
import { allOf, countRows, insertRow, NO_LIMIT, updateRow } from '../sql/statements.ts'
import {
  chatsWithoutMessages,
  claimConversation,
  removeClaims,
  lockConversation,
  readBeginnings,
} from './chat-claims.ts'

export const insertQuestion: SqlWrite<NewQuestion, void> = {
  name: 'insertQuestion',
  grows: true,
  // A question is not synced to the disk, so that the first token comes sooner; writing its answer syncs both.
  staged: true,
  async run(session, { message, files, ...caller }) {
    await lockConversation(session, message)
    const beginnings = await readBeginnings(session, message)
    requireSameOwner(beginnings, caller)
    await insertMessage(session, message, ownerOfQuestion(beginnings, caller.owner), false)
    // One by one: a file may have megabytes.
    for (const { id, name, mime, content } of files) {
      const row = { id, message_id: message.id, name, mime, content, ...session.dialect.checksumOf(content) }
      await insertRow(session, 'chat_files', row)
    }
  },
}

export const insertAnswer: SqlWrite<{ questionId: string; answer: ChatMessageRow }, void> = {
  name: 'insertAnswer',
  async run(session, { questionId, answer }) {
    const question = await session.get<{ owner: string | null }>(
      'UPDATE chat_messages SET answered = ? WHERE id = ? RETURNING owner',
      true,
      questionId,
    )
    if (question) await insertMessage(session, answer, question.owner, true)
  },
}

async function insertMessage(
  session: SqlSession,
  { id, flowId, chatId, sessionId, role, content, chatType, memoryType, details, createdAt }: ChatMessageRow,
  owner: string | null,
  answered: boolean,
): Promise<void> {
  await insertRow(session, 'chat_messages', {
    ...{ id, flow_id: flowId, chat_id: chatId, session_id: sessionId, role, content, chat_type: chatType },
    ...{ memory_type: memoryType, details: JSON.stringify(details), created_at: createdAt },
    ...{ owner, answered, ...session.dialect.checksumOf(content) },
  })
}

export const noteQuestionFailure: SqlWrite<{ questionId: string; details: JsonObject }, void> = {
  name: 'noteQuestionFailure',
  async run(session, { questionId, details }) {
    const row = await session.get<{ details: string }>(
      `SELECT details FROM chat_messages WHERE id = ? ${session.dialect.forUpdate}`,
      questionId,
    )
    if (!row) return
    const noted = JSON.stringify({ ...JSON.parse(row.details), ...details })
    await updateRow(session, 'chat_messages', questionId, { details: noted })
  },
}

export const removeMessages: SqlWrite<{ flowId: string; filter: MessageFilter }, RemovedMessages> = {
  name: 'removeMessages',
  async run(session, { flowId, filter }) {
    const { where, values } = conditionOf(flowId, filter)
    const gone = await session.all<{ chat: string }>(
      `DELETE FROM chat_messages WHERE ${where} RETURNING chat_id AS chat`,
      ...values,
    )
    const chats = [...new Set(gone.map(({ chat }) => chat))]
    const left = await session.all<{ chat: string }>(
      'SELECT DISTINCT chat_id AS chat FROM chat_messages WHERE flow_id = ? AND chat_id IN (?)',
      flowId,
      chats,
    )
    const going = new Set(left.map(({ chat }) => chat))
    // A paused run contains its conversation.
    await session.run(
      `DELETE FROM paused_runs WHERE flow_id = ?1 AND NOT EXISTS (
         SELECT 1 FROM chat_messages AS message
         WHERE message.flow_id = ?1 AND message.session_id = paused_runs.session_id)`,
      flowId,
    )
    await session.run(
      `DELETE FROM flow_states WHERE root_flow_id = ?1 AND NOT EXISTS (
         SELECT 1 FROM chat_messages AS message
         WHERE message.flow_id = ?1 AND message.session_id = flow_states.session_id)`,
      flowId,
    )
    return { count: gone.length, ended: chats.filter((chat) => !going.has(chat)) }
  },
}

const conditionOf = (flowId: string, filter: MessageFilter) =>
  allOf(
    ['flow_id = ?', flowId],
    ['id = ?', filter.id],
    ['chat_id = ?', filter.chatId],
    ['session_id = ?', filter.sessionId],
    ['memory_type = ?', filter.memoryType],
    ['created_at >= ?', filter.from],
    ['created_at <= ?', filter.to],
    ['chat_type IN (?)', filter.chatTypes],
    ['id IN (SELECT message_id FROM chat_feedback WHERE rating IN (?))', filter.ratings],
  )

/** The messages of the chats of a flow; with a text, of those chats that have it in a message. */
function searchOf({ dialect }: SqlSession, flowId: string, search: string | undefined) {
  if (!search) return allOf(['flow_id = ?', flowId])
  const { sql, values } = dialect.contains('content', search)
  const found = `chat_id IN (SELECT chat_id FROM chat_messages WHERE flow_id = ? AND ${sql})`
  return allOf(['flow_id = ?', flowId], { sql: found, values: [flowId, ...values] })
}

/** The messages of the sessions of flows. */
export function chatMessageStore({ reader, write }: SqlDatabase): ChatMessageStore {
  return {
    addQuestion: (question) => write(insertQuestion, question),
    async requireOwner(conversation, owner, ownedOnly) {
      requireSameOwner(await readBeginnings(reader, conversation), { owner, anyOwner: false, ownedOnly })
    },
    claim: (conversation, claim) => write(claimConversation, { ...conversation, ...claim }),
    removeClaims: (flowId, chatIds, before) => write(removeClaims, { flowId, chatIds, before }),
    withoutMessages: (flowId, before, limit) => chatsWithoutMessages(reader, flowId, before, limit),
    addAnswer: (questionId, answer) => write(insertAnswer, { questionId, answer }),
    noteFailure: (questionId, details) => write(noteQuestionFailure, { questionId, details }),
    async find(id) {
      const row = await reader.get(`SELECT ${CHAT_MESSAGE_COLUMNS} FROM chat_messages WHERE id = ?`, id)
      return row && chatMessageFromRow(row)
    },
    async messages(flowId, sessionId, last = NO_LIMIT) {
      // A question without an answer failed, or is being answered: it is listed, but a model does not get it.
      const rows = await reader.all<Pick<ChatMessageRow, 'role' | 'content'>>(
        `SELECT role, content FROM chat_messages
         WHERE flow_id = ? AND session_id = ? AND answered ORDER BY seq DESC LIMIT ?`,
        flowId,
        sessionId,
        last,
      )
      return rows.reverse().map(({ role, content }) => ({ role, content }))
    },
    async list(flowId, filter, { ascending, offset = 0, limit = NO_LIMIT }) {
      const { where, values } = conditionOf(flowId, filter)
      const rows = await reader.all(
        `SELECT ${CHAT_MESSAGE_COLUMNS} FROM chat_messages WHERE ${where}
         ORDER BY seq ${ascending ? 'ASC' : 'DESC'} LIMIT ? OFFSET ?`,
        ...values,
        limit,
        offset,
      )
      const total = await countRows(reader, 'chat_messages', where, values)
      return { rows: rows.map(chatMessageFromRow), total }
    },
    async conversations(flowId, { offset, limit, search }) {
      // Read from the index by chat alone, except for a search.
      const { where, values } = searchOf(reader, flowId, search)
      const groups = await reader.all<{ first: number; last: number; count: number }>(
        `SELECT min(seq) AS first, max(seq) AS last, count(*) AS count FROM chat_messages
         WHERE ${where} GROUP BY chat_id ORDER BY last DESC LIMIT ? OFFSET ?`,
        ...values,
        limit,
        offset,
      )
      const ends = await reader.all<{ seq: number }>(
        `SELECT seq, ${CHAT_MESSAGE_COLUMNS} FROM chat_messages WHERE seq IN (?)`,
        groups.flatMap(({ first, last }) => [first, last]),
      )
      const messages = new Map(ends.map((row) => [row.seq, chatMessageFromRow(row)]))
      const rows = groups.flatMap(({ first, last, count }) => {
        // A conversation may have been removed between the two statements.
        const [one, other] = [messages.get(first), messages.get(last)]
        return one && other ? [{ chatId: one.chatId, first: one, last: other, messages: count }] : []
      })
      const total = await countRows(reader, 'chat_messages', where, values, 'DISTINCT chat_id')
      return { rows, total }
    },
    remove: (flowId, filter) => write(removeMessages, { flowId, filter }),
    async file(id) {
      const row = await reader.get<ChatFile>(
        'SELECT id, name, mime, content FROM chat_files WHERE id = ?',
        id,
      )
      return row && { ...row }
    },
  }
}
