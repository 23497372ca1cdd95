import { flowFacts } from '../../kit/flow-facts.ts'
import type { Platform } from '../platform.ts'
import { unlessStalled } from '../job-answer.ts'

/**
 * Removes the documents of conversations of a flow from all namespaces, and cancels the jobs that load more for them.
 *
 * @param chatIds the conversations; all of the flow if absent
 */
export async function removeConversations(
  {
    engine,
    flows,
    jobs,
    messages,
    stores,
    log,
    config,
  }: Pick<Platform, 'config' | 'engine' | 'flows' | 'jobs' | 'messages' | 'stores' | 'log'>,
  flowId: string,
  chatIds?: readonly string[],
): Promise<void> {
  const startedAt = Date.now()
  await jobs.cancelMatching(flowId, ({ chatId }) =>
    chatIds ? chatIds.includes(String(chatId)) : chatId !== undefined,
  )
  for (const chatId of chatIds ?? [undefined]) {
    const conversation = { flowId, chatId }
    for (const namespace of await stores.namespacesWith(conversation)) {
      const store = await stores.find(namespace)
      const count = await unlessStalled({ jobs, config }, namespace, (signal) =>
        engine.remove(store, { conversation }, signal),
      )
      const flow = (await flows.find(flowId)) ?? { id: flowId }
      log.info('chunks-removed', { ...flowFacts(flow), count })
    }
  }
  // Only now: as long as a file is there, it has an owner. Files that came meanwhile keep theirs.
  await messages.removeClaims(flowId, chatIds, startedAt)
}
