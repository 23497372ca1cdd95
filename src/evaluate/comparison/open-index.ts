import { createKeyedQueue } from '../../kit/keyed-queue.ts'
import type { Log } from '../../kit/log.ts'
import { openTemporaryStore } from '../../stores/temporary-index.ts'
import { createUpsertEngine } from '../../upsert/engine.ts'
import type { TemporaryIndex } from './load-variant.ts'

/** An index of its own in a folder, with an engine that loads into it. @throws SluiceError as `openDatabase` does */
export function openTemporaryIndex(directory: string, log: Log): TemporaryIndex {
  const { store, close } = openTemporaryStore(directory)
  const engine = createUpsertEngine({ namespaceQueue: createKeyedQueue(), log })
  return {
    store,
    engine,
    async close() {
      await engine.idle()
      await close()
    },
  }
}
