import type { ChunkStores, EngineStores } from '../contract/chunk-store.ts'
import type { ConnectedEngine, EngineSource } from '../contract/engine-source.ts'
import type { Ledger } from '../contract/ledger.ts'
import type { SettingStore } from '../contract/setting-store.ts'
import type { JoinedEngine, SeparateEngine } from '../contract/vector-engine.ts'
import { randomId } from '../kit/hash.ts'
import { openOnce } from '../kit/open-once.ts'
import { chunkStores } from './chunk-stores.ts'
import { engineReadiness } from './engine-readiness.ts'
import { growingPauses } from './growing-pauses.ts'
import { storesWithout, sweepUnnamed } from './unnamed-engines.ts'

/** The setting with the id of a ledger: several servers may use one separate engine. */
const LEDGER_ID = 'ledger-id'

/** `reached`: the engine with the collections of the ledger. */
type Opened = { engine: ConnectedEngine; reached: SeparateEngine; stores: EngineStores }

/**
 * The stores of a ledger with an engine in its database, and of the separate engines that cards name. An engine is made once for
 * each name and key, and is kept until the end of the process.
 */
export function ledgerStores({
  ledger,
  engine,
  settings,
}: {
  ledger: Ledger
  engine: JoinedEngine
  settings: SettingStore
}): ChunkStores {
  const own = chunkStores({ ledger, engine })
  const ledgerId = openOnce(() => settings.keep(LEDGER_ID, randomId()))
  const opened = new Map<string, Opened>()
  /** The last that was opened of each name: its credential is the one in use. */
  const named = new Map<string, Opened>()

  const here = (separate: SeparateEngine) => ofLedger(separate, ledgerId)
  const pauses = growingPauses()

  function openEngine({ name, key, create }: EngineSource): Opened {
    const place = JSON.stringify([name, key])
    const known = opened.get(place)
    if (known) {
      named.set(name, known)
      return known
    }
    const separate = create()
    pauses.end(name)
    const reached = { ...here(separate), name }
    const stores = chunkStores({
      ledger,
      engine: reached,
      words: engine,
      ...(separate.outside ? { outside: separate.outside } : {}),
    })
    const made = { engine: separate, reached, stores }
    opened.set(place, made)
    named.set(name, made)
    return made
  }

  return {
    ...own,

    memory: engine.memory,

    dependencies: [
      engineReadiness(ledger, {
        isUsed: () => named.size > 0,
        engineOf: ({ engine: name }) => named.get(name)?.reached,
      }),
    ],

    openSeparate: (namespace, source) => openEngine(source).stores.open(namespace),

    async find(namespace) {
      const index = await ledger.find(namespace)
      if (!index || index.engine === engine.name) return own.open(namespace)
      const stores = named.get(index.engine)?.stores ?? storesWithout(ledger, index.engine)
      return stores.open(namespace)
    },

    async sweepRemoved(reach) {
      await own.sweepRemoved()
      let failure: { error: unknown } | undefined
      const sweep = async (name: string): Promise<void> => {
        const known = named.get(name)
        if (name === engine.name || !(known || reach) || !pauses.isDue(name)) return
        try {
          if (known) await known.stores.sweepRemoved()
          else await sweepUnnamed({ ledger, words: engine }, name, await reach!.sources(name), here)
          pauses.end(name)
        } catch (error) {
          pauses.failed(name)
          if (reach) reach.failed(name, error)
          else failure ??= { error }
        }
      }
      await Promise.all([...(await ledger.removedEngines()).keys()].map(sweep))
      if (failure) throw failure.error
    },

    async close() {
      await Promise.allSettled([...opened.values()].map((one) => one.engine.close?.()))
      await own.close()
    },
  }
}

/** The collections of one ledger in an engine that the ledgers of other servers may use too. */
function ofLedger(engine: SeparateEngine, ledgerId: () => Promise<string>): SeparateEngine {
  const here = async (collection: string) => `${await ledgerId()}_${collection}`
  return {
    name: engine.name,
    capabilities: engine.capabilities,
    upsert: async (collection, points, options) => engine.upsert(await here(collection), points, options),
    refresh: async (collection) => engine.refresh?.(await here(collection)),
    delete: async (collection, ids) => engine.delete(await here(collection), ids),
    vectors: async (collection, ids) => engine.vectors(await here(collection), ids),
    search: async (collection, request) => engine.search(await here(collection), request),
    drop: async (collection) => engine.drop(await here(collection)),
    checks: async (collection, ids) => engine.checks(await here(collection), ids),
    fault: async (collection, use) => engine.fault(await here(collection), use),
    kept: async (collection) => (await engine.kept?.(await here(collection))) ?? [],
    async *ids(collection) {
      yield* engine.ids(await here(collection))
    },
    async *compare(collection, expected) {
      yield* engine.compare(await here(collection), expected)
    },
  }
}
