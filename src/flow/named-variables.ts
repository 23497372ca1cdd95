import type { FlowGraph, FlowNode } from './graph.ts'

/** A variable of the workspace that a node of a flow names. */
export type NamedVariable = { nodeId: string; node: string; name: string }

/** `$vars.name`, in a text as `{{$vars.name}}` and in code as it stands. */
const PLACE = /\$vars\.([\p{L}_][\p{L}\p{N}_]*)/gu

/** Every variable of the workspace that a flow names, each once per node. */
export const namedVariables = (graph: FlowGraph): NamedVariable[] =>
  [...graph.nodes.values()].flatMap((node) =>
    namesOfVariables(node).map((name) => ({ nodeId: node.id, node: node.label, name })),
  )

/** The variables of the workspace that a node names, each once. */
export const namesOfVariables = ({ inputs }: Pick<FlowNode, 'inputs'>): string[] => [
  ...new Set([...textsWithin(inputs)].flatMap((text) => [...text.matchAll(PLACE)].map(([, name]) => name!))),
]

/** Every text within a value. */
export function* textsWithin(value: unknown): Iterable<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) yield* textsWithin(inner)
}
