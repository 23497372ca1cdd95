import type { Connection, DrawnNode, Graph } from './graph.ts'

type Named = Pick<DrawnNode, 'label' | 'plugs' | 'outputs'>

/** A connection in words: `Text Splitter → File Loader: Text Splitter`, between steps `Condition (Else) → Agent`. */
export function connectionName(
  nodes: ReadonlyMap<string, Named>,
  { source, target, plug, output }: Connection,
): string {
  const [from, to] = [nodes.get(source), nodes.get(target)]
  const way =
    from && from.outputs.length > 1 && plug === undefined ? ` (${from.outputs[output] ?? output + 1})` : ''
  const input = plug === undefined ? '' : `: ${to?.plugs.find(({ name }) => name === plug)?.label ?? plug}`
  return `${from?.label ?? source}${way} → ${to?.label ?? target}${input}`
}

/** The names of all connections of a drawing, by their ids. */
export function connectionNames({ nodes, connections }: Graph): Map<string, string> {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  return new Map(connections.map((connection) => [connection.id, connectionName(byId, connection)]))
}
