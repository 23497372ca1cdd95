import type { ChunkStores } from '../contract/chunk-store.ts'
import type { EnginePlaceStore } from '../contract/engine-place-store.ts'
import type { EngineSource } from '../contract/engine-source.ts'
import type { Clock } from '../kit/clock.ts'
import { reasonOf } from '../kit/errors.ts'
import { fingerprint } from '../kit/hash.ts'
import type { Log } from '../kit/log.ts'

/** After so many milliseconds a place that is used is noted again; one that was not for a day is forgotten (`removeUnused`). */
const EVERY_MS = 3_600_000

export type KeptPlacesOptions = { places: Pick<EnginePlaceStore, 'keep'>; log: Log; clock?: Clock }

/**
 * Opens stores in separate engines. How each engine is reached is stored before it gets its first point: its points can be deleted
 * when no flow names it any more.
 */
export function keptPlaces(
  openSeparate: ChunkStores['openSeparate'],
  { places, log, clock = Date.now }: KeptPlacesOptions,
): ChunkStores['openSeparate'] {
  const kept = keepPlaces({ places, clock })
  return (namespace, source) => {
    const store = openSeparate(namespace, source)
    // Indexes of before have none. Whoever may type another address must not fill the database by questions.
    if (source.recipe?.byRequest === false)
      kept(source).catch((error: unknown) =>
        log.warn('engine-place-not-kept', { engine: source.name, reason: reasonOf(error) }),
      )
    return {
      ...store,
      async open(embedder) {
        await kept(source)
        return store.open(embedder)
      },
      async rebuild(embedder) {
        await kept(source)
        return store.rebuild(embedder)
      },
    }
  }
}

/** Stores the place of an engine, unless that was done a short time ago. */
export function keepPlaces({
  places,
  clock = Date.now,
}: Omit<KeptPlacesOptions, 'log'>): (source: EngineSource) => Promise<void> {
  /** When each place was last stored, or begun to be. */
  const stored = new Map<string, { at: number; done: Promise<void> }>()
  return async ({ name, key, recipe }) => {
    if (!recipe) return
    const place = fingerprint(key)
    const id = JSON.stringify([name, place])
    const now = clock()
    const last = stored.get(id)
    if (last && now - last.at < EVERY_MS) return last.done
    const done = places.keep({ engine: name, place, recipe }, now)
    stored.set(id, { at: now, done })
    try {
      await done
    } catch (error) {
      stored.delete(id)
      throw error
    }
  }
}
