import type { Graph } from '../../../drawing/graph.ts'
import { wiredStores } from '../../../drawing/problems.ts'

/**
 * The id of the vector store of a flow whose points are in another server; undefined for the built-in store, which has none, and for a
 * flow with several stores.
 */
export function separateStore(graph: Graph): string | undefined {
  const [store, ...others] = wiredStores(graph)
  if (!store || others.length > 0 || !store.known) return undefined
  return store.kind.baseClasses.includes('BuiltInVectorStore') ? undefined : store.id
}
