import type { FlowRow } from '../contract/flow-store.ts'
import { namespacesOf } from '../flow/namespaces.ts'
import { flowSource } from './flow-row.ts'
import type { Platform } from './platform.ts'

/** A namespace that a flow uses, and the slugs of other flows that use it too. */
export type UsedNamespace = { namespace: string; sharedWith: string[] }

/** The namespaces of a flow. Those that no other flow shares go when the flow goes. */
export async function usedNamespaces(
  flow: FlowRow,
  platform: Pick<Platform, 'flows' | 'catalog' | 'nodeServices'>,
): Promise<UsedNamespace[]> {
  const used = namespacesOf(platform, flowSource(flow))
  if (used.length === 0) return []
  const { rows } = await platform.flows.list()
  const others = rows
    .filter(({ id }) => id !== flow.id)
    .map((row) => ({ slug: row.slug, namespaces: namespacesOf(platform, flowSource(row)) }))
  return used.map((namespace) => ({
    namespace,
    sharedWith: others.filter(({ namespaces }) => namespaces.includes(namespace)).map(({ slug }) => slug),
  }))
}
