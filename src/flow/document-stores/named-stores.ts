import { isObject } from '../../kit/json.ts'
import { lenientJson } from '../../kit/lenient-json.ts'
import type { Catalog } from '../catalog.ts'
import { type FlowGraph, written } from '../graph.ts'

/** A store that a flow names, by id or slug, and the label of the node that does. */
export type NamedStore = { store: string; node: string }

/** The flow in a value such as `"uuid:name"`. */
export const flowOfStoreValue = (value: unknown): string => written(value).split(':', 1)[0]!.trim()

/** The stores of other flows that nodes of a flow name: inputs that refer to a flow, with a column or without. */
export function storesNamedBy(graph: FlowGraph, catalog: Catalog): NamedStore[] {
  return [...graph.nodes.values()].flatMap((node) =>
    Object.entries(catalog.get(node.name)?.fields ?? {}).flatMap(([name, { refersTo }]) =>
      refersTo === undefined
        ? []
        : valuesOf(node.inputs[name], refersTo.column)
            .map(flowOfStoreValue)
            .filter((store) => store !== '')
            .map((store) => ({ store, node: node.label })),
    ),
  )
}

function valuesOf(value: unknown, column: string | undefined): unknown[] {
  if (column === undefined) return [value]
  const rows = typeof value === 'string' ? lenientJson(value) : value
  return (Array.isArray(rows) ? rows : []).map((row) => (isObject(row) ? row[column] : undefined))
}
