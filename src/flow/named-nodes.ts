import type { PartKind } from '../contract/card.ts'
import type { Catalog } from './catalog.ts'
import { type FlowNode, pluggedInto } from './graph.ts'
import { textsWithin } from './named-variables.ts'

/** Kinds of parts in whose texts the output of another node may stand, `{{llmChain_0.data.instance}}`. */
const NAMING: readonly PartKind[] = ['prompt', 'passages']
/** Kinds of parts whose output is a text. */
export const NAMED_KINDS: readonly PartKind[] = ['answerer', 'loader', 'passages']

const INSTANCE = /\{\{\s*([\w-]+)\.data\.instance\s*\}\}/g
const NAME = /^([\w-]+)\.data\.instance$/

/** The id of the node whose output a name between double braces is: `llmChain_0.data.instance`. */
export const nodeOfName = (name: string): string | undefined => NAME.exec(name)?.[1]

/** The ids of the nodes whose output stands in a text, each once. */
export const nodesNamedIn = (value: unknown): string[] => [
  ...new Set([...textsWithin(value)].flatMap((text) => [...text.matchAll(INSTANCE)].map(([, id]) => id!))),
]

/** Whether the output of another node may stand in the texts of a node. */
export const namesNodes = ({ name }: FlowNode, catalog: Catalog): boolean =>
  NAMING.some((kind) => catalog.get(name)?.kind === kind)

/** The ids of the nodes whose output the texts of a node have, by the input that names them. */
export function namedNodes(node: FlowNode, catalog: Catalog): { input: string; id: string }[] {
  if (!namesNodes(node, catalog)) return []
  return Object.keys(catalog.get(node.name)!.fields).flatMap((input) => {
    const value = node.inputs[input]
    // A list is a line of the drawing to an input that names nobody.
    return Array.isArray(value) ? [] : nodesNamedIn(value).map((id) => ({ input, id }))
  })
}

/** The ids of all nodes that a node needs: those that plug into it, and those that its texts name. */
export const sourcesOf = (node: FlowNode, catalog: Catalog): string[] => [
  ...Object.keys(catalog.get(node.name)?.anchors ?? {}).flatMap((name) => pluggedInto(node.inputs[name])),
  ...namedNodes(node, catalog).map(({ id }) => id),
]

const HISTORY = /\{\{\s*(chat_history|\$flow\.chatHistory)\s*\}\}/

/** Whether the texts of a prompt, or of a search for one, have the conversation. */
export const namesHistory = (node: FlowNode, catalog: Catalog): boolean =>
  namesNodes(node, catalog) && [...textsWithin(node.inputs)].some((text) => HISTORY.test(text))
