import { setImmediate } from 'node:timers/promises'
import type { FlowRow, FlowStore } from '../contract/flow-store.ts'
import { type FlowGraph, readGraph } from '../flow/graph.ts'
import { parseJson } from '../kit/json.ts'

/** A flow that uses a row, such as a credential, with the nodes that do. */
export type FlowUse<Node> = { id: string; slug: string; name: string; nodes: Node[] }

/** How many flows are read at a time; between them other requests are answered. */
const PAGE = 100

/**
 * Where flows use rows.
 *
 * @param usesIn the uses in a graph: the key of the used row, and the node
 * @param mayUse whether the text of a drawing can have any use; saves reading the others
 * @returns the flows by the key of the used row
 */
export async function flowUses<Node>(
  flows: FlowStore,
  mayUse: (flowData: string) => boolean,
  usesIn: (graph: FlowGraph) => Iterable<readonly [key: string, node: Node]>,
): Promise<ReadonlyMap<string, FlowUse<Node>[]>> {
  const found = new Map<string, FlowUse<Node>[]>()
  for (let offset = 0; ; offset += PAGE) {
    const { rows, total } = await flows.list({ offset, limit: PAGE })
    for (const flow of rows) if (mayUse(flow.flowData)) addUses(found, flow, usesIn(graphOf(flow)))
    if (offset + PAGE >= total) return found
    await setImmediate()
  }
}

function addUses<Node>(
  found: Map<string, FlowUse<Node>[]>,
  { id, slug, name }: FlowRow,
  uses: Iterable<readonly [key: string, node: Node]>,
): void {
  for (const [key, node] of uses) {
    const list = found.get(key) ?? []
    found.set(key, list)
    const last = list.at(-1)
    if (last?.id === id) last.nodes.push(node)
    else list.push({ id, slug, name, nodes: [node] })
  }
}

/** A stored drawing may be one that cannot be read: it uses nothing. */
function graphOf({ flowData }: FlowRow): FlowGraph {
  try {
    // Parsed here: reading from text would replace the graphs of busy flows in the memory of readGraph().
    return readGraph(parseJson(flowData))
  } catch {
    return { nodes: new Map(), steps: [], branches: [] }
  }
}
