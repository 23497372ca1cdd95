import type { ConversationCaller } from '../../contract/chat-message-store.ts'
import { isOfAnother } from '../../callers/conversation-owner.ts'
import { SluiceError } from '../../kit/errors.ts'

/** Who began a conversation. A null owner stands for every caller. */
export type Beginning = { owner: string | null }

/** What a caller continues: its session by the first message, its chat by the first message and by the first files. */
export type Beginnings = {
  session: Beginning | undefined
  chat: Beginning | undefined
  /** Of the chat, and of a chat with the name of the session. */
  claims: readonly Beginning[]
}

const begunOf = ({ session, chat, claims }: Beginnings): Beginning[] =>
  [session, chat, ...claims].filter((one) => one !== undefined)

/** @throws SluiceError `session_taken` */
export function requireSameOwner(
  beginnings: Beginnings,
  { owner, anyOwner, ownedOnly = false }: ConversationCaller,
): void {
  if (!anyOwner && begunOf(beginnings).some((one) => isOfAnother(one, owner, ownedOnly)))
    throw new SluiceError('session_taken')
}

const ownedOf = (beginnings: Beginnings): string | undefined =>
  begunOf(beginnings).find(({ owner }) => owner !== null)?.owner ?? undefined

/** The owner of a new question. A manager who continues a session, or a chat with files, does not take it. */
export const ownerOfQuestion = (beginnings: Beginnings, caller: string | null): string | null =>
  beginnings.session ? beginnings.session.owner : (ownedOf(beginnings) ?? caller)

/** The owner of a chat that files are loaded into. */
export const ownerOfClaim = (beginnings: Beginnings, caller: string | null): string | null =>
  ownedOf(beginnings) ?? (begunOf(beginnings).length > 0 ? null : caller)
