import type { FlowRow } from '../../contract/flow-store.ts'
import type { ChunkStore } from '../../contract/chunk-store.ts'
import { sourcesOfLoader } from '../../upsert/loader-sources.ts'
import type { Platform } from '../platform.ts'
import { storeForCaller } from '../stored-flow.ts'
import { unlessStalled } from '../job-answer.ts'

/** How many names of sources one read brings. */
const PAGE = 1000

/**
 * Removes what a loader has loaded, or all documents of a store; they can be restored for KEEP_REMOVED_DAYS. Returns the number of chunks.
 *
 * @throws SluiceError as planning does; `engine_waits`
 */
export async function removeLoaded(
  platform: Platform,
  flow: FlowRow,
  loaderId: string | undefined,
): Promise<number> {
  const store = storeForCaller(platform, flow, {}, undefined)
  const sources =
    loaderId === undefined ? await allSources(store) : await sourcesOfLoader(store, flow.id, loaderId)
  if (sources.length === 0) return 0
  const days = platform.config.KEEP_REMOVED_DAYS
  const what = { sources, ...(days === 0 ? {} : { restorableUntil: Date.now() + days * 86_400_000 }) }
  return unlessStalled(platform, store.namespace, (signal) => platform.engine.remove(store, what, signal))
}

async function allSources(store: ChunkStore): Promise<string[]> {
  const names: string[] = []
  for (;;) {
    const { rows } = await store.sources({ offset: names.length, limit: PAGE })
    names.push(...rows.map(({ source }) => source))
    if (rows.length < PAGE) return names
  }
}
