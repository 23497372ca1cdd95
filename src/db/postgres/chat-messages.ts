import {
  type ChatFile,
  type ChatMessageRow,
  type ChatMessageStore,
  isOfAnother,
  type NewQuestion,
} from '../../contract/chat-message-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import { CHAT_MESSAGE_COLUMNS, chatMessageFromRow } from '../rows/chat-message.ts'
import { messageCondition, searchCondition } from './message-condition.ts'
import type { PostgresDatabase } from './database.ts'
import type { SqlSession, SqlValue } from './session.ts'

const FIRST_OF_SESSION =
  'SELECT owner FROM chat_messages WHERE flow_id = $1 AND session_id = $2 ORDER BY seq LIMIT 1'
const FIRST_OF_CHAT =
  'SELECT owner FROM chat_messages WHERE flow_id = $1 AND chat_id = $2 ORDER BY seq LIMIT 1'

/** The messages of the sessions of flows. */
export function postgresChatMessages({ reader, transaction }: PostgresDatabase): ChatMessageStore {
  return {
    addQuestion: (question) => transaction((session) => insertQuestionRow(session, question)),
    async requireOwner({ flowId, chatId, sessionId }, owner, ownedOnly = false) {
      const firsts = await Promise.all([
        reader.get<{ owner: string | null }>(FIRST_OF_SESSION, flowId, sessionId),
        reader.get<{ owner: string | null }>(FIRST_OF_CHAT, flowId, chatId),
      ])
      if (firsts.some((first) => isOfAnother(first, owner, ownedOnly))) throw new SluiceError('session_taken')
    },
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

/** Locks the session until the end of the transaction: of two callers who begin it at the same moment, one becomes its owner. */
async function insertQuestionRow(
  session: SqlSession,
  { message, owner, anyOwner, ownedOnly = false, files }: NewQuestion,
): Promise<void> {
  const { flowId, chatId, sessionId } = message
  await session.run('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', `session ${flowId} ${sessionId}`)
  if (!(await session.get('SELECT 1 FROM flows WHERE id = $1 AND deleted_at IS NULL FOR SHARE', flowId)))
    throw new SluiceError('flow_not_found', { flow: flowId })
  const held = await session.get<{ owner: string | null }>(FIRST_OF_SESSION, flowId, sessionId)
  // Its files are found by the chat, which may be another's where a client names both.
  const chat = await session.get<{ owner: string | null }>(FIRST_OF_CHAT, flowId, chatId)
  const taken = [held, chat].some((first) => isOfAnother(first, owner, ownedOnly))
  if (taken && !anyOwner) throw new SluiceError('session_taken')
  await insertMessage(session, message, held ? held.owner : owner, false)
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
