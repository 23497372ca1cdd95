import { isObject, type Json, type JsonObject } from '../../kit/json.ts'
import type { Catalog } from '../catalog.ts'
import { referenceOf, written } from '../graph.ts'
import { ALIASES, NEEDLESS } from './aliases.ts'

/** A drawing as an import changes it. */
export type Drawing = { nodes: unknown[]; edges?: unknown }

/** A node that an import has left out. */
export type LeftOutNode = { nodeId: string; label: string; name: string; what: string }

/**
 * Takes the nodes out of a drawing that this server does without, with their connections. Where one wraps another node, that node takes
 * its place.
 */
export function leaveOutNeedless(drawing: Drawing): LeftOutNode[] {
  const left: LeftOutNode[] = []
  for (const node of [...drawing.nodes]) {
    const data = isObject(node) && isObject(node.data) ? node.data : undefined
    const name = written(data?.name)
    if (!data || !Object.hasOwn(NEEDLESS, name)) continue
    const { what, passes } = NEEDLESS[name]!
    const nodeId = written((node as JsonObject).id ?? data.id)
    const wrapped = passes === undefined ? undefined : nodePluggedInto(data, passes, nodeId, edgesOf(drawing))
    drawing.nodes.splice(drawing.nodes.indexOf(node), 1)
    reconnect(drawing, nodeId, wrapped)
    left.push({ nodeId, label: written(data.label ?? name), name, what })
  }
  return left
}

/** The edges of a drawing. */
export const edgesOf = ({ edges }: Drawing): JsonObject[] =>
  Array.isArray(edges) ? (edges.filter(isObject) as JsonObject[]) : []

/**
 * The id of the node that plugs into an input, from its value or from an edge.
 *
 * @param data of the node with that input, whose id is `id`
 */
export function nodePluggedInto(
  { inputs }: Record<string, unknown>,
  input: string,
  id: string,
  edges: readonly JsonObject[],
): string | undefined {
  const value = isObject(inputs) ? inputs[input] : undefined
  const edge = edges.find(
    ({ target, targetHandle }) => target === id && written(targetHandle).startsWith(`${id}-input-${input}-`),
  )
  return referenceOf(Array.isArray(value) ? value[0] : value) ?? (edge ? written(edge.source) : undefined)
}

/** Leads what named a node to another one, or to none. */
function reconnect(drawing: Drawing, from: string, to: string | undefined): void {
  for (const node of drawing.nodes) {
    const inputs = isObject(node) && isObject(node.data) ? node.data.inputs : undefined
    if (!isObject(inputs)) continue
    for (const [input, value] of Object.entries(inputs)) {
      if (Array.isArray(value) && value.some((one) => referenceOf(one) === from))
        inputs[input] = value.flatMap((one) => (referenceOf(one) === from ? instances(to) : [one as Json]))
      else if (referenceOf(value) === from) inputs[input] = instances(to)[0] ?? ''
    }
  }
  const edges = edgesOf(drawing)
  const before = edges.find(({ source, target }) => target === from && source === to)
  drawing.edges = edges.flatMap((edge) => {
    if (edge.target === from) return []
    if (edge.source !== from) return [edge]
    if (to === undefined) return []
    const sourceHandle = before?.sourceHandle ?? `${to}-output`
    return [
      {
        ...edge,
        source: to,
        sourceHandle,
        id: `${to}-${written(sourceHandle)}-${written(edge.targetHandle)}`,
      },
    ]
  })
}

const instances = (id: string | undefined): string[] => (id === undefined ? [] : [`{{${id}.data.instance}}`])

/** What an import knows of a node that it has replaced. */
type ReplacedNode = { nodeId: string; name: string; by: string }

/**
 * Renames the ends of edges at replaced nodes, and removes the edges into inputs that they do not have.
 *
 * @returns the inputs of the removed edges
 */
export function reconnectReplaced(
  drawing: Drawing,
  replaced: readonly ReplacedNode[],
  catalog: Catalog,
): { nodeId: string; input: string }[] {
  const removed: { nodeId: string; input: string }[] = []
  if (!Array.isArray(drawing.edges)) return removed
  const byId = new Map(replaced.map((one) => [one.nodeId, one]))
  drawing.edges = edgesOf(drawing).flatMap((edge) => {
    const node = byId.get(written(edge.target))
    const handle = written(edge.targetHandle)
    const start = `${node?.nodeId}-input-`
    if (!node || !handle.startsWith(start)) return [edge]
    const [anchor = ''] = handle.slice(start.length).split('-', 1)
    const renamed = ALIASES[node.name]?.renames?.[anchor] ?? anchor
    if (!Object.hasOwn(catalog.get(node.by)!.anchors, renamed)) {
      removed.push({ nodeId: node.nodeId, input: renamed })
      return []
    }
    return [{ ...edge, targetHandle: `${start}${renamed}${handle.slice(start.length + anchor.length)}` }]
  })
  return removed
}
