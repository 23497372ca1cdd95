import type { Call } from '../route.ts'
import type { Platform } from '../platform.ts'
import { MANAGER, sessionOwner } from './turn.ts'

/**
 * Checks that a caller may read and change the documents of a conversation: those of one that has begun are for its owner and for
 * managers, on every route. Nothing is checked for a request that names no conversation.
 *
 * @throws SluiceError `session_taken`
 */
export async function requireOwnConversation(
  { messages }: Pick<Platform, 'messages'>,
  { flow, caller, fence: ofCaller }: Pick<Call<unknown, unknown, unknown>, 'flow' | 'caller' | 'fence'>,
  chatId: string | null | undefined,
): Promise<void> {
  if (!chatId) return
  const [name, fence] = await Promise.all([caller(), ofCaller()])
  if (name === MANAGER.name) return
  await messages.requireOwner(
    { flowId: flow.id, chatId, sessionId: chatId },
    sessionOwner(flow, { name, fence }),
    fence !== undefined,
  )
}
