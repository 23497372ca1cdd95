import type { ConversationClaim } from '../../contract/chat-message-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import { type Beginning, type Beginnings, ownerOfClaim, requireSameOwner } from '../rows/chat-owner.ts'
import type { SqlSession, SqlWrite } from '../sql/session.ts'
import { allOf, insertRow, lockName } from '../sql/statements.ts'

type Conversation = { flowId: string; chatId: string; sessionId: string }

/** Its files are found by the chat, which may be another's where a client names both. */
const BEGINNINGS = `
  SELECT 'session' AS begun, owner FROM (
    SELECT owner FROM chat_messages WHERE flow_id = ?1 AND session_id = ?3 ORDER BY seq LIMIT 1) AS of_session
  UNION ALL
  SELECT 'chat', owner FROM (
    SELECT owner FROM chat_messages WHERE flow_id = ?1 AND chat_id = ?2 ORDER BY seq LIMIT 1) AS of_chat
  UNION ALL
  SELECT 'claim', owner FROM chat_claims WHERE flow_id = ?1 AND chat_id IN (?2, ?3)`

export async function readBeginnings(
  session: SqlSession,
  { flowId, chatId, sessionId }: Conversation,
): Promise<Beginnings> {
  const rows = await session.all<Beginning & { begun: string }>(BEGINNINGS, flowId, chatId, sessionId)
  const find = (begun: string) => rows.find((row) => row.begun === begun)
  const claims = rows.filter((row) => row.begun === 'claim')
  return { session: find('session'), chat: find('chat'), claims }
}

/**
 * Locks a chat and its session until the end of the transaction, and the flow against its removal: of two callers who begin a
 * conversation at the same moment, one becomes its owner.
 *
 * @throws SluiceError `flow_not_found`
 */
export async function lockConversation(
  session: SqlSession,
  { flowId, chatId, sessionId }: Conversation,
): Promise<void> {
  // Always in the same order, so that two callers never wait for one another.
  for (const id of [...new Set([chatId, sessionId])].sort())
    await lockName(session, `session ${flowId} ${id}`)
  const live = `SELECT 1 FROM flows WHERE id = ? AND deleted_at IS NULL ${session.dialect.forShare}`
  if (!(await session.get(live, flowId))) throw new SluiceError('flow_not_found', { flow: flowId })
}

export const claimConversation: SqlWrite<{ flowId: string; chatId: string } & ConversationClaim, void> = {
  name: 'claimConversation',
  grows: true,
  async run(session, { flowId, chatId, now, ...caller }) {
    const conversation = { flowId, chatId, sessionId: chatId }
    await lockConversation(session, conversation)
    const beginnings = await readBeginnings(session, conversation)
    requireSameOwner(beginnings, caller)
    const { greatest } = session.dialect
    await insertRow(
      session,
      'chat_claims',
      {
        ...{ flow_id: flowId, chat_id: chatId },
        ...{ owner: ownerOfClaim(beginnings, caller.owner), used_at: now },
      },
      `ON CONFLICT (flow_id, chat_id) DO UPDATE SET used_at = ${greatest('chat_claims.used_at', 'excluded.used_at')}`,
    )
  },
}

type RemovedClaims = { flowId: string; chatIds: readonly string[] | undefined; before: number }

export const removeClaims: SqlWrite<RemovedClaims, void> = {
  name: 'removeClaims',
  isOneStatement: true,
  async run(session, { flowId, chatIds, before }) {
    const { where, values } = allOf(
      ['flow_id = ?', flowId],
      ['used_at < ?', before],
      ['chat_id IN (?)', chatIds],
    )
    await session.run(`DELETE FROM chat_claims WHERE ${where}`, ...values)
  },
}

/** Chats with files and without a message, by their last files. */
export async function chatsWithoutMessages(
  reader: SqlSession,
  flowId: string,
  before: number,
  limit: number,
): Promise<string[]> {
  const rows = await reader.all<{ id: string }>(
    `SELECT chat_id AS id FROM chat_claims
     WHERE flow_id = ? AND used_at < ? AND NOT EXISTS (
       SELECT 1 FROM chat_messages AS message
       WHERE message.flow_id = chat_claims.flow_id AND message.chat_id = chat_claims.chat_id)
     ORDER BY used_at LIMIT ?`,
    flowId,
    before,
    limit,
  )
  return rows.map(({ id }) => id)
}
