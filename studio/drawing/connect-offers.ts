import { addFedBy, addPlugged, type Command, connect, connectSteps } from './commands.ts'
import { kindsThatFit, plugsThatTake, refusal, stepRefusal } from './fit.ts'
import type { FlowFile, Point } from './flow-file.ts'
import type { DrawnNode, Graph } from './graph.ts'
import { AGENT_FLOWS, type NodeKinds } from './node-kinds.ts'

/** A connection that a node can get, or the reason why it cannot. */
export type ConnectOffer = { key: string; label: string } & (
  | { command: Command; reason?: undefined }
  | { command?: undefined; reason: string }
)

/** Everything that a node can be connected with: first what is there, then new nodes, then what does not fit, with the reason. */
export function connectOffers(graph: Graph, node: DrawnNode): ConnectOffer[] {
  const offers = node.shape === 'step' ? stepOffers(graph, node) : partOffers(graph, node)
  return [...offers.filter(({ command }) => command), ...offers.filter(({ command }) => !command)]
}

function stepOffers(graph: Graph, node: DrawnNode): ConnectOffer[] {
  const others = graph.nodes.filter((other) => other.shape === 'step' && other.id !== node.id)
  const from = (source: DrawnNode, target: DrawnNode): ConnectOffer[] =>
    source.outputs.map((output, at) => {
      const way = source.outputs.length > 1 ? `, after ${output}` : ''
      return offer(
        `${source.id} ${at} ${target.id}`,
        `${source.label} → ${target.label}${way}`,
        stepRefusal(graph, source, target, at),
        connectSteps(source, target, at),
      )
    })
  return others.flatMap((other) => [...from(node, other), ...from(other, node)])
}

function partOffers(graph: Graph, node: DrawnNode): ConnectOffer[] {
  const others = graph.nodes.filter((other) => other.shape === 'part' && other.id !== node.id)
  const from = (source: DrawnNode, target: DrawnNode): ConnectOffer[] =>
    target.plugs.map((plug) =>
      offer(
        `${source.id} ${target.id} ${plug.name}`,
        `${source.label} → ${plug.label} of ${target.label}`,
        refusal(graph, source, target, plug.name),
        connect(source, target, plug),
      ),
    )
  return others.flatMap((other) => [...from(other, node), ...from(node, other)])
}

const offer = (key: string, label: string, reason: string | undefined, command: Command): ConnectOffer =>
  reason === undefined ? { key, label, command } : { key, label, reason }

/**
 * New nodes that can be connected with a node: for its plugs, and those into which it can be plugged.
 *
 * @param places where a node goes that feeds this one, and one that this one feeds
 */
export function newNodeOffers(
  file: FlowFile,
  kinds: NodeKinds,
  node: DrawnNode,
  places: { before: Point; behind: Point },
): ConnectOffer[] {
  if (node.shape !== 'part') return []
  const feeding = node.plugs.flatMap((plug) =>
    kindsThatFit(kinds, plug).map((kind) => ({
      key: `new ${kind.name} ${plug.name}`,
      label: `New ${kind.label} → ${plug.label} of ${node.label}`,
      command: addPlugged(file, kind, places.before, node, plug),
    })),
  )
  const fed = [...kinds.values()]
    .filter(({ category }) => category !== AGENT_FLOWS)
    .flatMap((kind) =>
      plugsThatTake(kind, node.kind).map((plug) => ({
        key: `new ${kind.name} behind ${plug.name}`,
        label: `${node.label} → ${plug.label} of a new ${kind.label}`,
        command: addFedBy(file, kind, places.behind, node, plug),
      })),
    )
  return [...feeding, ...fed]
}
