import type { NodeServices, StorePart } from '../contract/card.ts'
import { SluiceError } from '../kit/errors.ts'
import type { JsonObject } from '../kit/json.ts'
import { readOverrideGate } from './api-config.ts'
import { assemble } from './assemble.ts'
import type { Catalog } from './catalog.ts'
import { type FlowNode, readGraph } from './graph.ts'
import { applyOverrides, type RequestOptions, type Warning } from './overrides.ts'
import { findStoreNode, participants } from './participants.ts'

/** What of a flow's row a plan needs. */
export type FlowSource = { id: string; flowData: string; apiConfig: unknown }

export type PlanRequest = { overrides: JsonObject; stopNodeId?: string; uploads: boolean }

/** A flow made ready for one upsert. */
export type UpsertPlan = {
  part: StorePart
  /** The nodes that take part, with the values of the request in place. */
  nodes: readonly FlowNode[]
  options: RequestOptions
  warnings: Warning[]
}

/**
 * Turns a drawing and a request into parts.
 *
 * @throws SluiceError `override_not_enabled` for uploads to a flow that does not take them, and what its steps throw
 */
export function planUpsert(
  flow: FlowSource,
  catalog: Catalog,
  nodeServices: NodeServices,
  request: PlanRequest,
): UpsertPlan {
  const graph = readGraph(flow.flowData)
  const root = findStoreNode(graph, catalog, 'flow_cannot_upsert', request.stopNodeId)
  const taking = participants(graph, catalog, root)
  const gate = readOverrideGate(flow.apiConfig)
  if (request.uploads && !takesUploads()) throw new SluiceError('override_not_enabled')
  const { nodes, options, applied, warnings } = applyOverrides(
    graph,
    taking,
    catalog,
    gate,
    request.overrides,
  )
  const context = { ...nodeServices, flowId: flow.id }
  const part = assemble('vectorStore', root.id, nodes, catalog, context, { overridden: applied })
  if (part.loaders.length === 0)
    throw new SluiceError('flow_cannot_upsert', { reason: 'no document loader is plugged in' })
  return { part, nodes: [...nodes.values()], options, warnings }

  /** Uploads stand for every file input at once; a flow without any is told so by the form it gets, not here. */
  function takesUploads(): boolean {
    const fileInputs = taking.flatMap((node) =>
      Object.entries(catalog.get(node.name)?.fields ?? {})
        .filter(([, field]) => field.type === 'file')
        .map(([name]) => ({ node, name })),
    )
    return (
      fileInputs.length === 0 ||
      fileInputs.some(({ node, name }) => gate.allows(node, 'files', false) || gate.allows(node, name, true))
    )
  }
}

/** The retrieval half of a flow: its store and embedder, never its loaders. */
export function planQuery(
  flow: FlowSource,
  catalog: Catalog,
  nodeServices: NodeServices,
  overrides: JsonObject,
  stopNodeId?: string,
): UpsertPlan {
  const graph = readGraph(flow.flowData)
  const root = findStoreNode(graph, catalog, 'flow_cannot_query', stopNodeId)
  const taking = participants(graph, catalog, root)
  const gate = readOverrideGate(flow.apiConfig)
  const { nodes, options, applied, warnings } = applyOverrides(graph, taking, catalog, gate, overrides)
  const context = { ...nodeServices, flowId: flow.id }
  const part = assemble('vectorStore', root.id, nodes, catalog, context, {
    overridden: applied,
    without: ['loader', 'splitter'],
  })
  return { part, nodes: [...nodes.values()], options, warnings }
}
