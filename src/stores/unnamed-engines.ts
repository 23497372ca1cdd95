import type { EngineStores } from '../contract/chunk-store.ts'
import type { ConnectedEngine, EngineSource } from '../contract/engine-source.ts'
import type { Ledger } from '../contract/ledger.ts'
import type { JoinedEngine, SeparateEngine } from '../contract/vector-engine.ts'
import { type ErrorCode, SluiceError } from '../kit/errors.ts'
import { chunkStores } from './chunk-stores.ts'

/** The engine with a name that no card of this process has named: its points stay. */
function engineWithout(name: string): SeparateEngine {
  const refuse = async (): Promise<never> => {
    throw new SluiceError('engine_not_connected', { engine: name })
  }
  return {
    name,
    capabilities: {
      keywords: false,
      metrics: ['cosine'],
      filters: false,
      ranksEarly: false,
      commitsWithLedger: false,
    },
    upsert: refuse,
    vectors: refuse,
    search: refuse,
    drop: refuse,
    async delete() {},
    // A sweep finds nothing to repair: the points stay.
    checks: async (_collection, ids) => new Map(ids.map((id) => [id, null])),
    async *ids() {},
    fault: async () => undefined,
    async *compare() {
      yield await refuse()
    },
  }
}

/** The stores of an engine that no card of this process has named: its points stay until they are swept. */
export function storesWithout(ledger: Ledger, name: string): EngineStores {
  return chunkStores({ ledger: { ...ledger, async sweepRemoved() {} }, engine: engineWithout(name) })
}

/** What cannot pass by waiting: the place is lost. */
const LOST: ReadonlySet<ErrorCode> = new Set([
  'credential_not_found',
  'credential_missing',
  'credential_wrong_kind',
  'engine_not_connected',
  'node_unknown',
  'input_invalid',
])

/**
 * Deletes what removed indexes have left in an engine that no card has named, in all places where it is known to have been: nothing tells
 * which of them has the points. One whose credential is gone counts where there is no other.
 *
 * @param ofLedger gives an engine the collections of the ledger
 * @throws what a place fails with; SluiceError `engine_not_connected` where there is none
 */
export async function sweepUnnamed(
  { ledger, words }: { ledger: Ledger; words: JoinedEngine },
  name: string,
  sources: readonly EngineSource[],
  ofLedger: (engine: SeparateEngine) => SeparateEngine,
): Promise<void> {
  const opened: ConnectedEngine[] = []
  const engine: SeparateEngine = {
    ...engineWithout(name),
    async drop(collection) {
      let dropped = 0
      let lost: SluiceError | undefined
      for (const [at, source] of sources.entries()) {
        try {
          opened[at] ??= source.create()
          await ofLedger(opened[at]).drop(collection)
          dropped++
        } catch (error) {
          if (!(error instanceof SluiceError) || !LOST.has(error.code)) throw error
          lost ??= error
        }
      }
      if (dropped === 0) throw lost ?? new SluiceError('engine_not_connected', { engine: name })
    },
  }
  try {
    await chunkStores({ ledger, engine, words }).sweepRemoved()
  } finally {
    await Promise.allSettled(opened.map((one) => one?.close?.()))
  }
}
