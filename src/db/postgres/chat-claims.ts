import type { ConversationClaim } from '../../contract/chat-message-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import { type Beginning, type Beginnings, ownerOfClaim, requireSameOwner } from '../rows/chat-owner.ts'
import type { SqlSession } from './session.ts'

type Conversation = { flowId: string; chatId: string; sessionId: string }

/** Its files are found by the chat, which may be another's where a client names both. */
const BEGINNINGS = `
  (SELECT 'session' AS of, owner FROM chat_messages WHERE flow_id = $1 AND session_id = $3 ORDER BY seq LIMIT 1)
  UNION ALL
  (SELECT 'chat', owner FROM chat_messages WHERE flow_id = $1 AND chat_id = $2 ORDER BY seq LIMIT 1)
  UNION ALL
  SELECT 'claim', owner FROM chat_claims WHERE flow_id = $1 AND chat_id IN ($2, $3)`

export async function readBeginnings(
  session: SqlSession,
  { flowId, chatId, sessionId }: Conversation,
): Promise<Beginnings> {
  const rows = await session.all<Beginning & { of: string }>(BEGINNINGS, flowId, chatId, sessionId)
  const find = (of: string) => rows.find((row) => row.of === of)
  return { session: find('session'), chat: find('chat'), claims: rows.filter((row) => row.of === 'claim') }
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
    await session.run('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', `session ${flowId} ${id}`)
  if (!(await session.get('SELECT 1 FROM flows WHERE id = $1 AND deleted_at IS NULL FOR SHARE', flowId)))
    throw new SluiceError('flow_not_found', { flow: flowId })
}

export async function insertClaim(
  session: SqlSession,
  { flowId, chatId }: { flowId: string; chatId: string },
  { now, ...caller }: ConversationClaim,
): Promise<void> {
  const conversation = { flowId, chatId, sessionId: chatId }
  await lockConversation(session, conversation)
  const beginnings = await readBeginnings(session, conversation)
  requireSameOwner(beginnings, caller)
  await session.run(
    `INSERT INTO chat_claims (flow_id, chat_id, owner, used_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (flow_id, chat_id) DO UPDATE SET used_at = greatest(chat_claims.used_at, excluded.used_at)`,
    flowId,
    chatId,
    ownerOfClaim(beginnings, caller.owner),
    now,
  )
}

export async function removeClaims(
  session: SqlSession,
  flowId: string,
  chatIds: readonly string[] | undefined,
  before: number,
): Promise<void> {
  const ofFlow = 'DELETE FROM chat_claims WHERE flow_id = $1 AND used_at < $2'
  if (chatIds === undefined) await session.run(ofFlow, flowId, before)
  else await session.run(`${ofFlow} AND chat_id = ANY($3)`, flowId, before, chatIds)
}

/** Chats with files and without a message, by their last files. */
export async function chatsWithoutMessages(
  session: SqlSession,
  flowId: string,
  before: number,
  limit: number,
): Promise<string[]> {
  const rows = await session.all<{ id: string }>(
    `SELECT chat_id AS id FROM chat_claims
     WHERE flow_id = $1 AND used_at < $2 AND NOT EXISTS (
       SELECT 1 FROM chat_messages AS message
       WHERE message.flow_id = chat_claims.flow_id AND message.chat_id = chat_claims.chat_id)
     ORDER BY used_at LIMIT $3`,
    flowId,
    before,
    limit,
  )
  return rows.map(({ id }) => id)
}
