import type { DrawnNode, Graph } from './graph.ts'
import type { NodeInput, NodeKinds } from './node-kinds.ts'
import type { NodeKindAnswer } from '../../src/api/node.ts'
import { isPlug } from './node-kinds.ts'

/** What a plug takes: the names of classes, of which a node must give one. */
const classesOf = (type: string): string[] => type.split('|').map((part) => part.trim())

export const kindFits = (kind: NodeKindAnswer, plug: NodeInput): boolean =>
  classesOf(plug.type).some((name) => kind.baseClasses.includes(name))

/** Why a node cannot be plugged into a place; undefined where it can. */
export function refusal(
  graph: Graph,
  source: DrawnNode,
  target: DrawnNode,
  plugName: string,
): string | undefined {
  const plug = target.plugs.find(({ name }) => name === plugName)
  if (!plug) return `${target.label} has no input ${plugName}`
  if (source.id === target.id) return 'A node cannot be connected to itself'
  if (!kindFits(source.kind, plug))
    return `${plug.label} of ${target.label} takes ${classesOf(plug.type).join(' or ')}; ${source.label} is ${source.kind.baseClasses.join(', ') || 'of no class'}`
  if (plug.plugged.includes(source.id)) return `${source.label} is connected there already`
  if (leadsTo(graph, target.id, source.id))
    return `${target.label} already feeds ${source.label}: this would make a circle`
  return undefined
}

/** Why a step cannot follow another; undefined where it can. */
export function stepRefusal(
  graph: Graph,
  source: DrawnNode,
  target: DrawnNode,
  output: number,
): string | undefined {
  if (source.id === target.id) return 'A step cannot follow itself; use a Loop step to go back'
  if (target.kind.name === 'startAgentflow') return 'Nothing comes before the start'
  if (source.parent !== target.parent) return 'Steps inside and outside of an iteration cannot be connected'
  if (
    graph.connections.some(
      (one) => one.source === source.id && one.target === target.id && one.output === output,
    )
  )
    return `${target.label} follows there already`
  if (leadsTo(graph, target.id, source.id)) return 'This would make a circle; use a Loop step to go back'
  return undefined
}

function leadsTo(graph: Graph, from: string, to: string): boolean {
  const seen = new Set<string>()
  const open = [from]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at === to) return true
    if (seen.has(at)) continue
    seen.add(at)
    for (const { source, target } of graph.connections) if (source === at) open.push(target)
  }
  return false
}

/** The node kinds that fit a plug, in the order of the catalogue. */
export const kindsThatFit = (kinds: NodeKinds, plug: NodeInput): NodeKindAnswer[] =>
  [...kinds.values()].filter((kind) => kindFits(kind, plug))

/** The plugs of a kind that take a node of another kind. */
export const plugsThatTake = (kind: NodeKindAnswer, source: NodeKindAnswer): NodeInput[] =>
  kind.inputs.filter((input) => isPlug(input) && kindFits(source, input))
