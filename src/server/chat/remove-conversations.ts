import type { Platform } from '../platform.ts'

/** Removes what was loaded for conversations of a flow, in whatever namespace it lies. @param chatIds all where absent */
export async function removeConversations(
  { engine, stores, log }: Pick<Platform, 'engine' | 'stores' | 'log'>,
  flowId: string,
  chatIds?: readonly string[],
): Promise<void> {
  for (const chatId of chatIds ?? [undefined]) {
    const conversation = { flowId, chatId }
    for (const namespace of stores.holding(conversation)) {
      const count = await engine.remove(stores.open(namespace), { conversation })
      log.info('chunks-removed', { flow: flowId, count })
    }
  }
}
