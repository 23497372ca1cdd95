import type { FlowRow } from '../../contract/flow-store.ts'
import { storesNamedBy } from '../../flow/document-stores/named-stores.ts'
import { flowUses } from '../flow-uses.ts'
import type { Platform } from '../platform.ts'

/** The flows that name some document stores, by the id of the store. */
export async function namedStoreUses(
  { flows, catalog }: Pick<Platform, 'flows' | 'catalog'>,
  stores: readonly Pick<FlowRow, 'id' | 'slug'>[],
): Promise<ReadonlyMap<string, { id: string; name: string }[]>> {
  const idOf = new Map(stores.flatMap(({ id, slug }) => [[id, id] as const, [slug, id] as const]))
  const names = [...idOf.keys()]
  const uses = await flowUses(
    flows,
    (flowData) => names.some((name) => flowData.includes(name)),
    (graph) =>
      storesNamedBy(graph, catalog).flatMap(({ store, node }) => {
        const id = idOf.get(store)
        return id === undefined ? [] : [[id, node] as const]
      }),
  )
  return new Map(
    [...uses].map(([store, users]) => [
      store,
      users.filter(({ id }) => id !== store).map(({ id, name }) => ({ id, name })),
    ]),
  )
}
