import type { Graph } from './graph.ts'
import { AGENT_FLOWS } from './node-kinds.ts'

/** What keeps a node from working, as far as the drawing shows it. */
export type Problem = { nodeId: string; input?: string; line?: number; message: string }

export function problemsOf(graph: Graph): Problem[] {
  return graph.nodes.flatMap((node): Problem[] => {
    if (node.shape === 'note') return []
    if (!node.known)
      return [{ nodeId: node.id, message: `This server has no node ${node.kind.name}; it is kept as it is` }]
    return node.plugs.flatMap((plug) =>
      plug.optional || plug.plugged.length > 0
        ? []
        : [{ nodeId: node.id, input: plug.name, message: `${plug.label} is not connected` }],
    )
  })
}

/** The vector stores that an upsert can load into: a document loader is plugged into them. */
export const wiredStores = (graph: Graph) =>
  graph.nodes.filter((node) =>
    node.plugs.some(
      ({ name, type, plugged }) => name === 'document' && type === 'Document' && plugged.length > 0,
    ),
  )

export const isAgentFlow = (graph: Graph): boolean =>
  graph.nodes.some(({ kind, shape }) => shape === 'step' || kind.category === AGENT_FLOWS)
