import type { NodeServices, StorePart } from '../contract/card.ts'
import type { TextSplitter } from '../contract/splitter.ts'
import { assemble } from './assemble.ts'
import type { Catalog } from './catalog.ts'
import { type FlowSource, planQuery } from './plan.ts'

/** What of a flow decides how well it finds: its store, its embedder, and the first splitter that cuts for them. */
export function planEvaluation(
  flow: FlowSource,
  catalog: Catalog,
  nodeServices: NodeServices,
): { part: StorePart; splitter?: TextSplitter } {
  const { part, nodes } = planQuery(flow, catalog, nodeServices, {})
  const node = nodes.find(({ name }) => catalog.get(name)?.kind === 'splitter')
  if (!node) return { part }
  const all = new Map(nodes.map((one) => [one.id, one]))
  return { part, splitter: assemble('splitter', node.id, all, catalog, { ...nodeServices, flowId: flow.id }) }
}
