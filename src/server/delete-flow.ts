import { type FlowRow, RESTORABLE_MS } from '../contract/flow-store.ts'
import { SluiceError } from '../kit/errors.ts'
import { removeConversations } from './chat/remove-conversations.ts'
import type { Platform } from './platform.ts'
import { usedNamespaces } from './stored-flow.ts'

/**
 * Deletes a flow so that it can be restored: it leaves all lists and queries at once, its jobs are cancelled, and its chunks
 * are hidden. Chunks in a namespace that another flow uses stay; only the files of conversations are removed there.
 */
export async function deleteFlow(platform: Platform, flow: FlowRow): Promise<void> {
  const { flows, jobs, stores } = platform
  const used = await usedNamespaces(flow, platform)
  const deletion = {
    id: flow.id,
    namespaces: used.map(({ namespace }) => namespace),
    own: used.flatMap(({ namespace, sharedWith }) => (sharedWith.length === 0 ? [namespace] : [])),
    now: Date.now(),
  }
  const hidden = await flows.delete(deletion)
  if (!hidden) throw new SluiceError('flow_not_found', { flow: flow.slug })
  await stores.dropMemory(hidden)
  await jobs.cancelMatching(flow.id, () => true)
  // A job that was running may have made an index after the first call.
  await flows.delete(deletion)
  if (await flows.find(flow.id)) return
  await removeConversations(platform, flow.id)
}

/** Removes a deleted flow for good. Its chunks cannot come back from now on; they are deleted behind this call. */
export async function sweepFlow({ flows, jobs, sweep }: SweepParts, id: string): Promise<void> {
  await jobs.drop(id, () => flows.remove(id))
  sweep.soon()
}

export type SweepParts = Pick<Platform, 'flows' | 'jobs' | 'sweep'>

/** Removes the flows that were deleted more than thirty days ago. Returns how many they were. */
export async function sweepDeletedFlows(platform: SweepParts, now: number): Promise<number> {
  const ids = await platform.flows.deletedBefore(now - RESTORABLE_MS)
  for (const id of ids) await sweepFlow(platform, id)
  return ids.length
}
