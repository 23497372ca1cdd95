import { reasonOf } from '../kit/errors.ts'
import { removeConversations } from './chat/remove-conversations.ts'
import { sweepDeletedFlows } from './delete-flow.ts'
import type { Platform } from './platform.ts'

const DAY_MS = 86_400_000

/** How many conversations are read at a time. */
const PAGE = 100

export type OldParts = Pick<
  Platform,
  'config' | 'engine' | 'flows' | 'jobs' | 'leads' | 'log' | 'messages' | 'stores' | 'sweep'
>

/**
 * Removes what is kept no longer: deleted flows after thirty days, conversations whose last message (last files, where they have no
 * message) is older than KEEP_CHATS_DAYS, and leads older than KEEP_LEADS_DAYS. Says in the log what it removed; a failure is logged too, and the
 * rest is removed all the same.
 *
 * @param now milliseconds since 1970
 */
export async function removeOld(parts: OldParts, now: number): Promise<void> {
  const { config, leads, log } = parts
  const { KEEP_CHATS_DAYS, KEEP_LEADS_DAYS } = config

  async function remove(what: string, days: number | undefined, work: () => Promise<number>) {
    try {
      const count = await work()
      if (count > 0) log.info(`${what}-removed`, { count, days })
    } catch (error) {
      log.warn(`${what}-not-removed`, { reason: reasonOf(error) })
    }
  }

  await remove('deleted-flows', undefined, () => sweepDeletedFlows(parts, now))
  if (KEEP_CHATS_DAYS > 0)
    await remove('old-conversations', KEEP_CHATS_DAYS, () =>
      removeOldConversations(parts, now - KEEP_CHATS_DAYS * DAY_MS),
    )
  if (KEEP_LEADS_DAYS > 0)
    await remove('old-leads', KEEP_LEADS_DAYS, () => leads.removeBefore(now - KEEP_LEADS_DAYS * DAY_MS))
}

/** Removes conversations without a message since a time, with their documents. Resolves with how many they were. */
async function removeOldConversations(parts: OldParts, since: number): Promise<number> {
  const { rows } = await parts.flows.list()
  let removed = 0
  for (const { id } of rows) removed += await removeOldOfFlow(parts, id, since)
  return removed
}

async function removeOldOfFlow(parts: OldParts, flowId: string, since: number): Promise<number> {
  const { messages } = parts
  let removed = 0
  for (;;) {
    const silent = await messages.withoutMessages(flowId, since, PAGE)
    if (silent.length > 0) await removeConversations(parts, flowId, silent)
    removed += silent.length
    if (silent.length < PAGE) break
  }
  // The last used come first, so the oldest are at the end.
  for (;;) {
    const { total } = await messages.conversations(flowId, { offset: 0, limit: 1 })
    const page = { offset: Math.max(0, total - PAGE), limit: PAGE }
    const { rows } = await messages.conversations(flowId, page)
    const old = rows.filter(({ last }) => last.createdAt < since)
    const ended: string[] = []
    for (const { chatId } of old) {
      // A question may have come meanwhile: then the conversation goes on.
      const gone = await messages.remove(flowId, { chatId, to: since - 1 })
      ended.push(...gone.ended)
    }
    if (ended.length > 0) await removeConversations(parts, flowId, ended)
    removed += ended.length
    if (ended.length < PAGE) return removed
  }
}
