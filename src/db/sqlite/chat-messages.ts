import type {
  ChatFile,
  ChatMessageRow,
  ChatMessageStore,
  MessageFilter,
  NewQuestion,
  RemovedMessages,
} from '../../contract/chat-message-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { JsonObject } from '../../kit/json.ts'
import { CHAT_MESSAGE_COLUMNS, chatMessageFromRow } from '../rows/chat-message.ts'
import { ownerOfQuestion, requireSameOwner } from '../rows/chat-owner.ts'
import { beginningsOf, claimConversation, forgetClaims, WITHOUT_MESSAGES } from './chat-claims.ts'
import { checksum } from './checksum.ts'
import type { Database } from './database.ts'
import type { Write } from './write.ts'

const INSERT = `INSERT INTO chat_messages (${CHAT_MESSAGE_COLUMNS}, checksum, owner, answered)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

const valuesOf = (message: ChatMessageRow) =>
  [
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
    checksum(message.content),
  ] as const

export const insertQuestion: Write<NewQuestion, void> = {
  name: 'insertQuestion',
  grows: true,
  // A question is not synced to the disk, so that the first token comes sooner; writing its answer syncs both.
  staged: true,
  run(connection, { message, owner, anyOwner, ownedOnly, files }) {
    const { flowId } = message
    if (!connection.get('SELECT 1 FROM flows WHERE id = ? AND deleted_at IS NULL', flowId))
      throw new SluiceError('flow_not_found', { flow: flowId })
    const beginnings = beginningsOf(connection, message)
    requireSameOwner(beginnings, { owner, anyOwner, ownedOnly })
    connection.run(INSERT, ...valuesOf(message), ownerOfQuestion(beginnings, owner), 0)
    for (const { id, name, mime, content } of files)
      connection.run(
        'INSERT INTO chat_files (id, message_id, name, mime, content, checksum) VALUES (?, ?, ?, ?, ?, ?)',
        id,
        message.id,
        name,
        mime,
        content,
        checksum(content),
      )
  },
}

export const insertAnswer: Write<{ questionId: string; answer: ChatMessageRow }, void> = {
  name: 'insertAnswer',
  run(connection, { questionId, answer }) {
    const question = connection.get<{ owner: string | null }>(
      'UPDATE chat_messages SET answered = 1 WHERE id = ? RETURNING owner',
      questionId,
    )
    if (question) connection.run(INSERT, ...valuesOf(answer), question.owner, 1)
  },
}

export const noteQuestionFailure: Write<{ questionId: string; details: JsonObject }, void> = {
  name: 'noteQuestionFailure',
  run(connection, { questionId, details }) {
    connection.run(
      'UPDATE chat_messages SET details = json_patch(details, ?) WHERE id = ?',
      JSON.stringify(details),
      questionId,
    )
  },
}

export const removeMessages: Write<{ flowId: string; filter: MessageFilter }, RemovedMessages> = {
  name: 'removeMessages',
  run(connection, { flowId, filter }) {
    const { where, values } = conditionOf(flowId, filter)
    const chats = connection.all<{ id: string }>(
      `SELECT DISTINCT chat_id AS id FROM chat_messages WHERE ${where}`,
      ...values,
    )
    const count = connection.run(`DELETE FROM chat_messages WHERE ${where}`, ...values)
    const left = 'SELECT 1 FROM chat_messages WHERE flow_id = ? AND chat_id = ? LIMIT 1'
    const ended = chats.map(({ id }) => id).filter((id) => !connection.get(left, flowId, id))
    // A paused run contains its conversation.
    connection.run(
      `DELETE FROM paused_runs WHERE flow_id = ? AND session_id NOT IN
         (SELECT session_id FROM chat_messages WHERE flow_id = ?)`,
      flowId,
      flowId,
    )
    return { count, ended }
  },
}

/** The condition of a filter for a WHERE clause, and the values of its placeholders. */
function conditionOf(flowId: string, filter: MessageFilter) {
  const conditions: [sql: string, values: readonly (string | number)[] | undefined][] = [
    ['flow_id = ?', [flowId]],
    ['id = ?', one(filter.id)],
    ['chat_id = ?', one(filter.chatId)],
    ['session_id = ?', one(filter.sessionId)],
    ['memory_type = ?', one(filter.memoryType)],
    ['created_at >= ?', one(filter.from)],
    ['created_at <= ?', one(filter.to)],
    [`chat_type IN (${places(filter.chatTypes)})`, filter.chatTypes],
    [
      `id IN (SELECT message_id FROM chat_feedback WHERE rating IN (${places(filter.ratings)}))`,
      filter.ratings,
    ],
  ]
  const asked = conditions.filter(([, values]) => values !== undefined)
  return {
    where: asked.map(([sql]) => sql).join(' AND '),
    values: asked.flatMap(([, values]) => values!),
  }
}

const one = <T>(value: T | undefined): T[] | undefined => (value === undefined ? undefined : [value])

const places = (values: readonly unknown[] = []): string => values.map(() => '?').join(', ')

/** The messages of the sessions of flows. */
export function chatMessageStore(database: Database): ChatMessageStore {
  const { reader } = database
  return {
    addQuestion: (question) => database.write(insertQuestion, question),
    async requireOwner(conversation, owner, ownedOnly) {
      requireSameOwner(beginningsOf(reader, conversation), { owner, anyOwner: false, ownedOnly })
    },
    claim: (conversation, claim) => database.write(claimConversation, { ...conversation, ...claim }),
    forgetClaims: (flowId, chatIds, before) => database.write(forgetClaims, { flowId, chatIds, before }),
    withoutMessages: async (flowId, before, limit) =>
      reader.all<{ id: string }>(WITHOUT_MESSAGES, flowId, before, limit).map(({ id }) => id),
    addAnswer: (questionId, answer) => database.write(insertAnswer, { questionId, answer }),
    noteFailure: (questionId, details) => database.write(noteQuestionFailure, { questionId, details }),
    async find(id) {
      const row = reader.get(`SELECT ${CHAT_MESSAGE_COLUMNS} FROM chat_messages WHERE id = ?`, id)
      return row && chatMessageFromRow(row)
    },
    async messages(flowId, sessionId, last = -1) {
      // A question without an answer failed, or is being answered: it is listed, but a model does not get it.
      const rows = reader.all<{ role: ChatMessageRow['role']; content: string }>(
        `SELECT role, content FROM chat_messages
         WHERE flow_id = ? AND session_id = ? AND answered = 1 ORDER BY seq DESC LIMIT ?`,
        flowId,
        sessionId,
        last,
      )
      return rows.reverse().map(({ role, content }) => ({ role, content }))
    },
    async list(flowId, filter, { ascending, offset = 0, limit = -1 }) {
      const { where, values } = conditionOf(flowId, filter)
      const rows = reader.all(
        `SELECT ${CHAT_MESSAGE_COLUMNS} FROM chat_messages WHERE ${where}
         ORDER BY seq ${ascending ? 'ASC' : 'DESC'} LIMIT ? OFFSET ?`,
        ...values,
        limit,
        offset,
      )
      const { total } = reader.get<{ total: number }>(
        `SELECT count(*) AS total FROM chat_messages WHERE ${where}`,
        ...values,
      )!
      return { rows: rows.map(chatMessageFromRow), total }
    },
    async conversations(flowId, { offset, limit, search }) {
      // Read from the index by chat alone, except for a search.
      const found = search
        ? `AND chat_id IN
             (SELECT chat_id FROM chat_messages WHERE flow_id = ?1 AND content LIKE ?2 ESCAPE '\\')`
        : ''
      const values = search ? [flowId, `%${search.replace(/[\\%_]/g, '\\$&')}%`] : [flowId]
      const groups = reader.all<{ first: number; last: number; count: number }>(
        `SELECT min(seq) AS first, max(seq) AS last, count(*) AS count FROM chat_messages
         WHERE flow_id = ?1 ${found} GROUP BY chat_id ORDER BY last DESC LIMIT ${limit} OFFSET ${offset}`,
        ...values,
      )
      const { total } = reader.get<{ total: number }>(
        `SELECT count(DISTINCT chat_id) AS total FROM chat_messages WHERE flow_id = ?1 ${found}`,
        ...values,
      )!
      const message = (seq: number) =>
        chatMessageFromRow(
          reader.get(`SELECT ${CHAT_MESSAGE_COLUMNS} FROM chat_messages WHERE seq = ?`, seq)!,
        )
      const rows = groups.map(({ first, last, count }) => {
        const one = message(first)
        return { chatId: one.chatId, first: one, last: message(last), messages: count }
      })
      return { rows, total }
    },
    remove: (flowId, filter) => database.write(removeMessages, { flowId, filter }),
    async file(id) {
      const row = reader.get<ChatFile>('SELECT id, name, mime, content FROM chat_files WHERE id = ?', id)
      return row && { ...row }
    },
  }
}
