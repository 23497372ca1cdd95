import type { Platform } from '../platform.ts'

/**
 * Removes what was loaded for conversations of a flow, in whatever namespace it lies, and cancels the jobs that would
 * load more for them.
 *
 * @param chatIds all where absent
 */
export async function removeConversations(
  { engine, jobs, stores, log }: Pick<Platform, 'engine' | 'jobs' | 'stores' | 'log'>,
  flowId: string,
  chatIds?: readonly string[],
): Promise<void> {
  await jobs.cancelMatching(flowId, ({ chatId }) =>
    chatIds ? chatIds.includes(String(chatId)) : chatId !== undefined,
  )
  for (const chatId of chatIds ?? [undefined]) {
    const conversation = { flowId, chatId }
    for (const namespace of stores.namespacesWith(conversation)) {
      const count = await engine.remove(stores.open(namespace), { conversation })
      log.info('chunks-removed', { flow: flowId, count })
    }
  }
}
