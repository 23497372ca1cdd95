import type { ConnectedEngine } from '../contract/engine-source.ts'
import { openOnce } from '../kit/open-once.ts'

/** An engine whose modules are loaded at its first call. */
export function lazyEngine(
  { name, capabilities }: Pick<ConnectedEngine, 'name' | 'capabilities'>,
  load: () => Promise<ConnectedEngine>,
): ConnectedEngine {
  let isUsed = false
  const once = openOnce(load)
  const open = () => {
    isUsed = true
    return once()
  }
  return {
    name,
    capabilities,
    upsert: async (...all) => (await open()).upsert(...all),
    refresh: async (...all) => (await open()).refresh?.(...all),
    delete: async (...all) => (await open()).delete(...all),
    vectors: async (...all) => (await open()).vectors(...all),
    search: async (...all) => (await open()).search(...all),
    drop: async (...all) => (await open()).drop(...all),
    checks: async (...all) => (await open()).checks(...all),
    fault: async (...all) => (await open()).fault(...all),
    kept: async (...all) => (await (await open()).kept?.(...all)) ?? [],
    async *ids(...all) {
      yield* (await open()).ids(...all)
    },
    async *compare(...all) {
      yield* (await open()).compare(...all)
    },
    outside: async (request) => (await (await open()).outside?.(request)) ?? [],
    async close() {
      if (isUsed) await (await once()).close?.()
    },
  }
}
