import type { NodeServices, PartKind, PartKinds } from '../contract/card.ts'
import type { JsonObject } from '../kit/json.ts'
import { type OverrideGate, readOverrideGate } from './api-config.ts'
import { assemble, type AssembleOptions } from './assemble.ts'
import type { Catalog } from './catalog.ts'
import type { FlowGraph, FlowNode } from './graph.ts'
import { typedAddresses } from './typed-addresses.ts'
import { overrideVariables } from './override-variables.ts'
import { applyOverrides, type OverriddenInputs, type RequestOptions, type Warning } from './overrides.ts'

/** The columns of a flow's row that planning needs. */
/** `slug`: for log lines. */
export type FlowSource = { id: string; slug?: string; flowData: string; apiConfig: unknown }

/** What every planner needs besides the flow and the request. */
export type PlanContext = { catalog: Catalog; nodeServices: NodeServices }

export type FlowRequest = {
  /** The `overrideConfig` of the request. */
  overrides: JsonObject
  /** Values of the workspace's variables. Without them `overrideConfig.vars` is an override without effect. */
  variables?: Readonly<Record<string, string>>
}

/** Kinds of parts that are built only for an upsert. */
const LOADING: readonly PartKind[] = ['loader', 'splitter']

/** A request applied to a flow. No part is built yet. */
export type AppliedRequest = {
  /** The nodes that take part, by id, with the values of the request. */
  nodes: ReadonlyMap<string, FlowNode>
  gate: OverrideGate
  options: RequestOptions
  /** The values of the workspace's variables, replaced by those of the request that the gate allows. */
  variables: Readonly<Record<string, string>>
  /** Overrides without effect. */
  warnings: Warning[]
  overridden: OverriddenInputs
  /**
   * Builds one of the nodes and what plugs into it.
   *
   * @param changes `nodes` instead of those of the request; `loading` also builds loaders and splitters; `built` is
   *   called with each part and its node
   * @throws SluiceError as `assemble` does
   */
  build<K extends PartKind>(
    kind: K,
    nodeId: string,
    changes?: { nodes?: ReadonlyMap<string, FlowNode>; loading?: boolean } & Pick<AssembleOptions, 'built'>,
  ): PartKinds[K]
}

/**
 * Applies the overrides and variables of a request to the nodes that take part in it, as far as the flow allows them.
 *
 * @throws SluiceError `override_invalid`
 */
export function applyRequest(
  { catalog, nodeServices }: PlanContext,
  flow: FlowSource,
  graph: FlowGraph,
  participants: readonly FlowNode[],
  { overrides, variables }: FlowRequest,
): AppliedRequest {
  const gate = readOverrideGate(flow.apiConfig)
  const given = variables ? overrideVariables(overrides, gate) : { values: {}, warnings: [], rest: overrides }
  const { nodes, options, applied, inputs, warnings } = applyOverrides(
    graph,
    participants,
    catalog,
    gate,
    given.rest,
  )
  const context = { ...nodeServices, flowId: flow.id, typedAddresses: typedAddresses(graph, catalog) }
  return {
    nodes,
    gate,
    options,
    variables: { ...variables, ...given.values },
    warnings: [...given.warnings, ...warnings],
    overridden: inputs,
    build: (kind, nodeId, changes = {}) =>
      assemble(kind, nodeId, changes.nodes ?? nodes, catalog, context, {
        overridden: applied,
        ...(changes.loading ? {} : { without: LOADING }),
        ...(changes.built ? { built: changes.built } : {}),
      }),
  }
}
