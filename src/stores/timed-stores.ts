import type { ChunkStore, ChunkStores } from '../contract/chunk-store.ts'
import { withinTime } from '../kit/patience.ts'

/**
 * Stores whose requests have an answer in `ms` milliseconds, also where a separate engine has none: a question in this time, all calls
 * together; what may need many calls so long after the last one that was answered. A job has a patience of its own.
 */
export const timedStores = (stores: ChunkStores, ms: number): ChunkStores => ({
  ...stores,
  openSeparate: (...place) => timedStore(stores.openSeparate(...place), ms),
  find: async (namespace) => timedStore(await stores.find(namespace), ms),
})

function timedStore(store: ChunkStore, ms: number): ChunkStore {
  const many = { ms, isExtended: true }
  const { compare } = store
  return {
    ...store,
    search: (request) => withinTime({ ms }, () => store.search(request)),
    named: (what) => withinTime({ ms }, () => store.named(what)),
    view: (embedder) => withinTime({ ms }, () => store.view(embedder)),
    open: (embedder) => withinTime({ ms }, () => store.open(embedder)),
    remove: (what) => withinTime(many, () => store.remove(what)),
    restore: (...what) => withinTime(many, () => store.restore(...what)),
    drop: () => withinTime(many, () => store.drop()),
    ...(compare ? { compare: (options) => withinTime(many, () => compare(options)) } : {}),
  }
}
