import type { PartKind } from '../contract/card.ts'
import type { Catalog } from './catalog.ts'
import { type FlowGraph, type FlowNode, pluggedInto } from './graph.ts'
import { textsWithin } from './named-variables.ts'

/** Kinds of parts of prompts. */
const OF_PROMPTS: readonly (PartKind | undefined)[] = ['prompt', 'passages']
/** Kinds of parts in whose texts the output of any node may stand, `{{llmChain_0.data.instance}}`; in other texts that of a `value`. */
const NAMING: readonly (PartKind | undefined)[] = [...OF_PROMPTS, 'value']
/** Kinds of parts whose output may stand in a text. */
export const NAMED_KINDS: readonly PartKind[] = ['answerer', 'loader', 'passages', 'value']

const INSTANCE = /\{\{\s*([\w-]+)\.data\.instance\s*\}\}/g
const NAME = /^([\w-]+)\.data\.instance$/

/** The id of the node whose output a name between double braces is: `llmChain_0.data.instance`. */
export const nodeOfName = (name: string): string | undefined => NAME.exec(name)?.[1]

/** The ids of the nodes whose output stands in a text, each once. */
export const nodesNamedIn = (value: unknown): string[] => [
  ...new Set([...textsWithin(value)].flatMap((text) => [...text.matchAll(INSTANCE)].map(([, id]) => id!))),
]

const kindOf = (node: FlowNode | undefined, catalog: Catalog) => node && catalog.get(node.name)?.kind

/** Whether the output of any node may stand in the texts of a node. */
export const namesNodes = (node: FlowNode, catalog: Catalog): boolean =>
  NAMING.includes(kindOf(node, catalog))

/** The ids of the nodes whose output the texts of a node have, by the input that names them. */
export function namedNodes(
  node: FlowNode,
  { nodes }: FlowGraph,
  catalog: Catalog,
): { input: string; id: string }[] {
  const kind = kindOf(node, catalog)
  const ofPrompt = OF_PROMPTS.includes(kind)
  return Object.entries(catalog.get(node.name)?.fields ?? {}).flatMap(([input, { type }]) => {
    const value = node.inputs[input]
    // A list is a line of the drawing to an input of a prompt that names nobody. Code reads its inputs by itself.
    if (ofPrompt ? Array.isArray(value) : type === 'code') return []
    return nodesNamedIn(value)
      .filter((id) => NAMING.includes(kind) || kindOf(nodes.get(id), catalog) === 'value')
      .map((id) => ({ input, id }))
  })
}

/** Whether a node reads what others have set. It runs also where those are in a branch that is not taken. */
export const readsVariable = ({ name }: FlowNode): boolean => name === 'getVariable'

/** The ids of the nodes that set the variable of a node that reads one, in the order of the drawing. */
export const settersOf = (node: FlowNode, { nodes }: FlowGraph): string[] =>
  readsVariable(node)
    ? [...nodes.values()]
        .filter(
          ({ name, inputs }) => name === 'setVariable' && inputs.variableName === node.inputs.variableName,
        )
        .map(({ id }) => id)
    : []

/** The ids of the nodes whose outputs a node needs by itself: those that its texts name, those that set its variable, and its branches. */
const outputsOf = (node: FlowNode, graph: FlowGraph, catalog: Catalog): string[] => [
  ...namedNodes(node, graph, catalog).map(({ id }) => id),
  ...settersOf(node, graph),
  ...graph.branches.filter(({ to }) => to === node.id).map(({ from }) => from),
]

const pluggedNodes = (node: FlowNode, catalog: Catalog): string[] =>
  Object.keys(catalog.get(node.name)?.anchors ?? {}).flatMap((name) => pluggedInto(node.inputs[name]))

/** The ids of all nodes that a node needs: those that plug into it, and those whose outputs it needs. */
export const sourcesOf = (node: FlowNode, graph: FlowGraph, catalog: Catalog): string[] => [
  ...pluggedNodes(node, catalog),
  ...outputsOf(node, graph, catalog),
]

/** The ids of the nodes whose outputs a node and all that plugs into it need, each once. */
export function neededOutputs(node: FlowNode, graph: FlowGraph, catalog: Catalog): string[] {
  const seen = new Set<FlowNode>()
  const needed = new Set<string>()
  const open = [node]
  for (let next = open.pop(); next; next = open.pop()) {
    if (seen.has(next)) continue
    seen.add(next)
    for (const id of outputsOf(next, graph, catalog)) needed.add(id)
    open.push(...pluggedNodes(next, catalog).flatMap((id) => graph.nodes.get(id) ?? []))
  }
  return [...needed]
}

const HISTORY = /\{\{\s*(chat_history|\$flow\.chatHistory)\s*\}\}/

/** Whether the texts of a node in which outputs may stand have the conversation. */
export const namesHistory = (node: FlowNode, catalog: Catalog): boolean =>
  namesNodes(node, catalog) && [...textsWithin(node.inputs)].some((text) => HISTORY.test(text))
