import type { EnginePlace, EnginePlaceStore } from '../../contract/engine-place-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { SecretBox } from '../../kit/secret-box.ts'
import type { SqlDatabase, SqlWrite } from '../sql/session.ts'
import { insertRow } from '../sql/statements.ts'

/** How many places of an engine are kept: those that were used last. */
const MOST_PLACES = 8

type Sealed = { engine: string; place: string; sealed: string; now: number }

export const keepEnginePlace: SqlWrite<Sealed, void> = {
  name: 'keepEnginePlace',
  grows: true,
  repeatable: true,
  async run(session, { engine, place, sealed, now }) {
    await insertRow(
      session,
      'engine_places',
      { engine, place, sealed, used_at: now },
      'ON CONFLICT (engine, place) DO UPDATE SET sealed = excluded.sealed, used_at = excluded.used_at',
    )
    await session.run(
      `DELETE FROM engine_places WHERE engine = ?1 AND place NOT IN
         (SELECT place FROM engine_places WHERE engine = ?1 ORDER BY used_at DESC, place LIMIT ${MOST_PLACES})`,
      engine,
    )
  },
}

export const removeUnusedPlaces: SqlWrite<number, void> = {
  name: 'removeUnusedPlaces',
  repeatable: true,
  isOneStatement: true,
  async run(session, before) {
    await session.run(
      `DELETE FROM engine_places WHERE used_at < ? AND NOT EXISTS
         (SELECT 1 FROM indexes WHERE indexes.engine = engine_places.engine)`,
      before,
    )
  },
}

/** Recipes are sealed in the database, and already in what is sent to it or to its thread. */
export function enginePlaceStore({ reader, write }: SqlDatabase, box: SecretBox): EnginePlaceStore {
  return {
    keep: (held, now) => {
      const { engine, place } = held
      return write(keepEnginePlace, { engine, place, sealed: box.seal(JSON.stringify(held)), now })
    },
    async find(engine) {
      const rows = await reader.all<{ place: string; sealed: string }>(
        'SELECT place, sealed FROM engine_places WHERE engine = ? ORDER BY used_at DESC, place',
        engine,
      )
      return rows.flatMap(({ place, sealed }) => {
        const held = opened(box, sealed)
        // What was moved from another row is not this place.
        return held && held.engine === engine && held.place === place ? [held] : []
      })
    },
    removeUnused: (before) => write(removeUnusedPlaces, before),
  }
}

function opened(box: SecretBox, sealed: string): EnginePlace | undefined {
  try {
    return JSON.parse(box.open(sealed)) as EnginePlace
  } catch (error) {
    if (error instanceof SluiceError) return undefined
    throw error
  }
}
