import type { ChunkStore, EngineReach } from '../contract/chunk-store.ts'
import type { EnginePlaceStore } from '../contract/engine-place-store.ts'
import type { EngineSource } from '../contract/engine-source.ts'
import type { FlowStore } from '../contract/flow-store.ts'
import type { PlanContext } from '../flow/apply-request.ts'
import { engineOfRecipe } from '../flow/engine-of-recipe.ts'
import { flowSource } from '../flow/find-flow.ts'
import { namespacesOf } from '../flow/namespaces.ts'
import { SluiceError } from '../kit/errors.ts'
import { keepPlaces } from '../stores/kept-places.ts'

type ReachOptions = PlanContext & Pick<EngineReach, 'failed'> & { places: Pick<EnginePlaceStore, 'find'> }

/** Reaches the engines that no flow names any more, by what is stored of them. */
export function engineReach({ places, failed, ...context }: ReachOptions): EngineReach {
  return {
    failed,
    async sources(engine) {
      const found = await places.find(engine)
      return found.map(({ place, recipe }) => ({
        ...{ name: engine, key: place },
        create() {
          const source = engineOfRecipe(recipe, context)
          // A later version of a card may name another place.
          if (source.name !== engine) throw new SluiceError('engine_not_connected', { engine })
          return source.create()
        },
      }))
    },
  }
}

/** Nothing is asked of it. */
const UNUSED = {} as ChunkStore

/** Stores how the engines of deleted flows are reached: when such a flow is removed for good, its drawing is gone. */
export async function keepDeletedPlaces({
  flows,
  places,
  catalog,
  nodeServices,
}: PlanContext & {
  flows: Pick<FlowStore, 'deleted'>
  places: Pick<EnginePlaceStore, 'keep'>
}): Promise<void> {
  const keep = keepPlaces({ places })
  const sources: EngineSource[] = []
  const noting: typeof nodeServices = {
    ...nodeServices,
    openSeparateStore(_, source) {
      sources.push(source)
      return UNUSED
    },
  }
  for (const { flow } of await flows.deleted())
    try {
      namespacesOf({ catalog, nodeServices: noting }, flowSource(flow))
    } catch (error) {
      // Nothing can be read of it.
      if (!(error instanceof SluiceError)) throw error
    }
  for (const source of sources) await keep(source)
}
