import type {
  ChatFile,
  ChatMessageRow,
  ChatMessageStore,
  NewQuestion,
} from '../../contract/chat-message-store.ts'
import { CHAT_MESSAGE_COLUMNS, chatMessageFromRow } from '../rows/chat-message.ts'
import { ownerOfQuestion, requireSameOwner } from '../rows/chat-owner.ts'
import {
  chatsWithoutMessages,
  insertClaim,
  lockConversation,
  readBeginnings,
  removeClaims,
} from './chat-claims.ts'
import { messageCondition, searchCondition } from './message-condition.ts'
import type { PostgresDatabase } from './database.ts'
import type { SqlSession, SqlValue } from './session.ts'

/** The messages of the sessions of flows. */
export function postgresChatMessages({ reader, transaction }: PostgresDatabase): ChatMessageStore {
  return {
    addQuestion: (question) => transaction((session) => insertQuestionRow(session, question)),
    async requireOwner(conversation, owner, ownedOnly) {
      requireSameOwner(await readBeginnings(reader, conversation), { owner, anyOwner: false, ownedOnly })
    },
    claim: (conversation, claim) => transaction((session) => insertClaim(session, conversation, claim)),
    forgetClaims: (flowId, chatIds, before) =>
      transaction((session) => removeClaims(session, flowId, chatIds, before)),
    withoutMessages: (flowId, before, limit) => chatsWithoutMessages(reader, flowId, before, limit),
    addAnswer: (questionId, answer) =>
      transaction(async (session) => {
        const question = await session.get<{ owner: string | null }>(
          'UPDATE chat_messages SET answered = true WHERE id = $1 RETURNING owner',
          questionId,
        )
        if (question) await insertMessage(session, answer, question.owner, true)
      }),
    noteFailure: (questionId, details) =>
      transaction(async (session) => {
        const row = await session.get<{ details: string }>(
          'SELECT details FROM chat_messages WHERE id = $1 FOR UPDATE',
          questionId,
        )
        if (!row) return
        const noted = JSON.stringify({ ...JSON.parse(row.details), ...details })
        await session.run('UPDATE chat_messages SET details = $2 WHERE id = $1', questionId, noted)
      }),
    async find(id) {
      const row = await reader.get(`SELECT ${CHAT_MESSAGE_COLUMNS} FROM chat_messages WHERE id = $1`, id)
      return row && chatMessageFromRow(row)
    },
    async messages(flowId, sessionId, last) {
      // A question without an answer failed, or is being answered: it is listed, but a model does not get it.
      const rows = await reader.all<Pick<ChatMessageRow, 'role' | 'content'>>(
        `SELECT role, content FROM chat_messages
         WHERE flow_id = $1 AND session_id = $2 AND answered ORDER BY seq DESC LIMIT $3`,
        flowId,
        sessionId,
        last ?? null,
      )
      return rows.toReversed()
    },
    async list(flowId, filter, { ascending, offset = 0, limit }) {
      const { where, values } = messageCondition(flowId, filter)
      const rows = await reader.all(
        `SELECT ${CHAT_MESSAGE_COLUMNS} FROM chat_messages WHERE ${where}
         ORDER BY seq ${ascending ? 'ASC' : 'DESC'} LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
        ...values,
        limit ?? null,
        offset,
      )
      return { rows: rows.map(chatMessageFromRow), total: await totalOf(reader, 'count(*)', where, values) }
    },
    async conversations(flowId, { offset, limit, search }) {
      const { where, values } = searchCondition(flowId, search)
      const groups = await reader.all<{ first: number; last: number; count: number }>(
        `SELECT min(seq) AS first, max(seq) AS last, count(*) AS count FROM chat_messages
         WHERE ${where} GROUP BY chat_id ORDER BY last DESC LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
        ...values,
        limit,
        offset,
      )
      const ends = await reader.all<{ seq: number }>(
        `SELECT seq, ${CHAT_MESSAGE_COLUMNS} FROM chat_messages WHERE seq = ANY($1)`,
        groups.flatMap(({ first, last }) => [first, last]),
      )
      const messages = new Map(ends.map((row) => [row.seq, chatMessageFromRow(row)]))
      const rows = groups.flatMap(({ first, last, count }) => {
        // A conversation may have been removed between the two statements.
        const [one, other] = [messages.get(first), messages.get(last)]
        return one && other ? [{ chatId: one.chatId, first: one, last: other, messages: count }] : []
      })
      return { rows, total: await totalOf(reader, 'count(DISTINCT chat_id)', where, values) }
    },
    remove: (flowId, filter) =>
      transaction(async (session) => {
        const { where, values } = messageCondition(flowId, filter)
        const gone = await session.all<{ chat: string }>(
          `DELETE FROM chat_messages WHERE ${where} RETURNING chat_id AS chat`,
          ...values,
        )
        const chats = [...new Set(gone.map(({ chat }) => chat))]
        const left = await session.all<{ chat: string }>(
          'SELECT DISTINCT chat_id AS chat FROM chat_messages WHERE flow_id = $1 AND chat_id = ANY($2)',
          flowId,
          chats,
        )
        const going = new Set(left.map(({ chat }) => chat))
        // A paused run contains its conversation.
        await session.run(
          `DELETE FROM paused_runs WHERE flow_id = $1 AND NOT EXISTS (
             SELECT 1 FROM chat_messages AS message
             WHERE message.flow_id = $1 AND message.session_id = paused_runs.session_id)`,
          flowId,
        )
        return { count: gone.length, ended: chats.filter((chat) => !going.has(chat)) }
      }),
    file: (id) => reader.get<ChatFile>('SELECT id, name, mime, content FROM chat_files WHERE id = $1', id),
  }
}

async function insertQuestionRow(
  session: SqlSession,
  { message, files, ...caller }: NewQuestion,
): Promise<void> {
  await lockConversation(session, message)
  const beginnings = await readBeginnings(session, message)
  requireSameOwner(beginnings, caller)
  await insertMessage(session, message, ownerOfQuestion(beginnings, caller.owner), false)
  for (const { id, name, mime, content } of files)
    await session.run(
      'INSERT INTO chat_files (id, message_id, name, mime, content) VALUES ($1, $2, $3, $4, $5)',
      id,
      message.id,
      name,
      mime,
      content,
    )
}

async function insertMessage(
  session: SqlSession,
  message: ChatMessageRow,
  owner: string | null,
  answered: boolean,
): Promise<void> {
  await session.run(
    `INSERT INTO chat_messages (${CHAT_MESSAGE_COLUMNS}, owner, answered)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    message.id,
    message.flowId,
    message.chatId,
    message.sessionId,
    message.role,
    message.content,
    message.chatType,
    message.memoryType,
    JSON.stringify(message.details),
    message.createdAt,
    owner,
    answered,
  )
}

async function totalOf(
  reader: SqlSession,
  count: string,
  where: string,
  values: readonly SqlValue[],
): Promise<number> {
  const row = await reader.get<{ total: number }>(
    `SELECT ${count} AS total FROM chat_messages WHERE ${where}`,
    ...values,
  )
  return row!.total
}
