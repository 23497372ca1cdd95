import type { NodeServices, StorePart } from '../contract/card.ts'
import type { JsonObject } from '../kit/json.ts'
import { readOverrideGate } from './api-config.ts'
import { assemble } from './assemble.ts'
import type { Catalog } from './catalog.ts'
import { type FlowNode, readGraph } from './graph.ts'
import { overrideVariables } from './override-variables.ts'
import { applyOverrides, type Warning } from './overrides.ts'
import { findStoreNode, participants } from './participants.ts'
import type { FlowSource } from './plan.ts'
import { expandWithin, type Scope, valueAt } from './variables.ts'

export type RetrievalRequest = {
  overrides: JsonObject
  stopNodeId?: string
  /** The values of the workspace's variables. */
  variables: Readonly<Record<string, string>>
}

/**
 * The retrieval half of a flow, for one question: its store and embedder, never its loaders. Variables are filled
 * into what a store is asked, such as its filter, and not into what says where it is: an upsert has to find the
 * same.
 *
 * @throws SluiceError `flow_cannot_query`, and what overrides and parts throw
 */
export function planRetrieval(
  flow: FlowSource,
  catalog: Catalog,
  nodeServices: NodeServices,
  { overrides, stopNodeId, variables }: RetrievalRequest,
): { part: StorePart; warnings: Warning[] } {
  const graph = readGraph(flow.flowData)
  const root = findStoreNode(graph, catalog, 'flow_cannot_query', stopNodeId)
  const gate = readOverrideGate(flow.apiConfig)
  const given = overrideVariables(overrides, gate)
  const taking = participants(graph, catalog, root)
  const { nodes, applied, warnings } = applyOverrides(graph, taking, catalog, gate, given.rest)
  const scope = storeScope(flow, { ...variables, ...given.values })
  const filled = new Map([...nodes].map(([id, node]) => [id, fillStore(node, catalog, scope)]))
  const part = assemble(
    'vectorStore',
    root.id,
    filled,
    catalog,
    { ...nodeServices, flowId: flow.id },
    {
      overridden: applied,
      without: ['loader', 'splitter'],
    },
  )
  return { part, warnings: [...given.warnings, ...warnings] }
}

/** What there is without a conversation: `$vars.name`, `$flow.chatflowId`. */
function storeScope({ id }: FlowSource, variables: Readonly<Record<string, string>>): Scope {
  const known = { $vars: { ...variables }, $flow: { chatflowId: id, chatflowid: id } }
  return (name) => (name.startsWith('$') ? valueAt(known, name) : undefined)
}

function fillStore(node: FlowNode, catalog: Catalog, scope: Scope): FlowNode {
  const card = catalog.get(node.name)
  if (card?.kind !== 'vectorStore') return node
  const inputs = Object.entries(node.inputs).map(([name, value]) => {
    const field = Object.hasOwn(card.fields, name) ? card.fields[name] : undefined
    return [name, field && !field.guard ? expandWithin(value, scope) : value]
  })
  return { ...node, inputs: Object.fromEntries(inputs) }
}
