import type { Catalog } from './catalog.ts'
import type { FlowGraph, FlowNode } from './graph.ts'
import { textsWithin } from './named-variables.ts'

const INSTANCE = /\{\{\s*([\w-]+)\.data\.instance\s*\}\}/g

/** The ids of the nodes whose outputs stand in a value, `{{llmChain_0.data.instance}}`, each once. */
export const outputsIn = (value: unknown): string[] => [
  ...new Set([...textsWithin(value)].flatMap((text) => [...text.matchAll(INSTANCE)].map(([, id]) => id!))),
]

const kindOf = ({ name }: FlowNode, catalog: Catalog) => catalog.get(name)?.kind

/**
 * The ids of the nodes whose outputs the texts of a node have: of a node that makes a value all that it names, and of others those that
 * make values. A node that reads a variable needs those that set it.
 */
export function valueSources(node: FlowNode, graph: FlowGraph, catalog: Catalog): string[] {
  const card = catalog.get(node.name)
  if (!card) return []
  const named = Object.keys(card.fields).flatMap((input) =>
    card.fields[input]!.type === 'code' ? [] : outputsIn(node.inputs[input]),
  )
  if (card.kind === 'value') return [...named, ...settersOf(node, graph)]
  return named.filter((id) => {
    const source = graph.nodes.get(id)
    return source !== undefined && kindOf(source, catalog) === 'value'
  })
}

const settersOf = ({ name, inputs }: FlowNode, { nodes }: FlowGraph): string[] =>
  name === 'getVariable'
    ? [...nodes.values()]
        .filter((one) => one.name === 'setVariable' && one.inputs.variableName === inputs.variableName)
        .map(({ id }) => id)
    : []

/** All nodes of a graph that make values. */
export const valueNodes = ({ nodes }: FlowGraph, catalog: Catalog): FlowNode[] =>
  [...nodes.values()].filter((node) => kindOf(node, catalog) === 'value')
