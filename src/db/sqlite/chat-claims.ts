import type { ConversationClaim } from '../../contract/chat-message-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import { type Beginning, type Beginnings, ownerOfClaim, requireSameOwner } from '../rows/chat-owner.ts'
import type { Connection } from './connection.ts'
import type { Write } from './write.ts'

const FIRST_OF_SESSION =
  'SELECT owner FROM chat_messages WHERE flow_id = ? AND session_id = ? ORDER BY seq LIMIT 1'
const FIRST_OF_CHAT = 'SELECT owner FROM chat_messages WHERE flow_id = ? AND chat_id = ? ORDER BY seq LIMIT 1'
const CLAIMS = 'SELECT owner FROM chat_claims WHERE flow_id = ? AND chat_id IN (?, ?)'

export const beginningsOf = (
  connection: Pick<Connection, 'get' | 'all'>,
  { flowId, chatId, sessionId }: { flowId: string; chatId: string; sessionId: string },
): Beginnings => ({
  session: connection.get<Beginning>(FIRST_OF_SESSION, flowId, sessionId),
  // Its files are found by the chat, which may be another's where a client names both.
  chat: connection.get<Beginning>(FIRST_OF_CHAT, flowId, chatId),
  claims: connection.all<Beginning>(CLAIMS, flowId, chatId, sessionId),
})

export const claimConversation: Write<{ flowId: string; chatId: string } & ConversationClaim, void> = {
  name: 'claimConversation',
  grows: true,
  run(connection, { flowId, chatId, now, ...caller }) {
    if (!connection.get('SELECT 1 FROM flows WHERE id = ? AND deleted_at IS NULL', flowId))
      throw new SluiceError('flow_not_found', { flow: flowId })
    const beginnings = beginningsOf(connection, { flowId, chatId, sessionId: chatId })
    requireSameOwner(beginnings, caller)
    connection.run(
      `INSERT INTO chat_claims (flow_id, chat_id, owner, used_at) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET used_at = max(used_at, excluded.used_at)`,
      flowId,
      chatId,
      ownerOfClaim(beginnings, caller.owner),
      now,
    )
  },
}

type Forgotten = { flowId: string; chatIds: readonly string[] | undefined; before: number }

export const forgetClaims: Write<Forgotten, void> = {
  name: 'forgetClaims',
  run(connection, { flowId, chatIds, before }) {
    const ofFlow = 'DELETE FROM chat_claims WHERE flow_id = ? AND used_at < ?'
    if (chatIds === undefined) connection.run(ofFlow, flowId, before)
    else for (const chatId of chatIds) connection.run(`${ofFlow} AND chat_id = ?`, flowId, before, chatId)
  },
}

/** Chats with files and without a message, by their last files. */
export const WITHOUT_MESSAGES = `
  SELECT chat_id AS id FROM chat_claims
  WHERE flow_id = ? AND used_at < ? AND NOT EXISTS (
    SELECT 1 FROM chat_messages AS message
    WHERE message.flow_id = chat_claims.flow_id AND message.chat_id = chat_claims.chat_id)
  ORDER BY used_at LIMIT ?`
