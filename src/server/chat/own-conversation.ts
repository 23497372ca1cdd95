import type { ConversationCaller } from '../../contract/chat-message-store.ts'
import type { FlowRow } from '../../contract/flow-store.ts'
import type { Call } from '../route.ts'
import type { Platform } from '../platform.ts'
import { type ChatCaller, MANAGER, sessionOwner } from './turn.ts'

type Messages = Pick<Platform, 'messages'>

/**
 * Checks that a caller may read and change the documents of a conversation: those of one that has begun are for its owner and for
 * managers, on every route. Nothing is checked for a request that names no conversation.
 *
 * @throws SluiceError `session_taken`
 */
export async function requireOwnConversation(
  { messages }: Messages,
  { flow, caller, fence: ofCaller }: Pick<Call<unknown, unknown, unknown>, 'flow' | 'caller' | 'fence'>,
  chatId: string | null | undefined,
): Promise<void> {
  if (!chatId) return
  const [name, fence] = await Promise.all([caller(), ofCaller()])
  const { owner, anyOwner, ownedOnly } = conversationCaller(flow, { name, fence })
  if (!anyOwner) await messages.requireOwner({ flowId: flow.id, chatId, sessionId: chatId }, owner, ownedOnly)
}

/** Whose conversations a caller may continue. */
export const conversationCaller = (flow: FlowRow, caller: ChatCaller): ConversationCaller => ({
  owner: sessionOwner(flow, caller),
  anyOwner: caller.name === MANAGER.name,
  ownedOnly: caller.fence !== undefined,
})

/**
 * The same for a caller who loads documents: the first who does so, or asks, is the owner from now on. Call it when nothing else can
 * refuse the request.
 *
 * @throws SluiceError `flow_not_found`, `session_taken`
 */
export async function takeConversation(
  { messages }: Messages,
  flow: FlowRow,
  caller: ChatCaller,
  chatId: string | undefined,
): Promise<void> {
  if (!chatId) return
  const claim = { ...conversationCaller(flow, caller), now: Date.now() }
  await messages.claim({ flowId: flow.id, chatId }, claim)
}
