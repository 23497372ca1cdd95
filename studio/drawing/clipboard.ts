import type { Command } from './commands.ts'
import {
  edgesOf,
  type FileNode,
  type FlowFile,
  isObject,
  type Json,
  type JsonObject,
  nodesOf,
  positionOf,
  readFlowFile,
  referenceOf,
  textOf,
} from './flow-file.ts'
import { freeNodeId } from './new-node.ts'

/** Nodes and the lines between them, as the text of a small flow file: it can be pasted in another tab or into an editor. */
export function copyText(file: FlowFile, ids: readonly string[]): string {
  const nodes = nodesOf(file).filter(({ id }) => ids.includes(id))
  const edges = edgesOf(file).filter(({ source, target }) => ids.includes(source) && ids.includes(target))
  return JSON.stringify({ nodes, edges }, null, 2)
}

/**
 * Puts copied nodes beside the others, with ids of their own. Lines to nodes that were not copied are left out.
 *
 * @param shift in pixels, so that a copy does not hide its original
 * @throws Error with a sentence for the person, where the text is not a flow file
 */
export function paste(file: FlowFile, text: string, shift = 40): Command & { ids: string[] } {
  const copied = readFlowFile(text)
  const nodes = nodesOf(copied)
  if (nodes.length === 0) throw new Error('There are no nodes in the copied text')
  const names = new Map<string, string>()
  const taken = new Set<string>()
  for (const node of nodes) {
    const id = freeNodeId(file, textOf(node.data.name) || 'node', taken)
    taken.add(id)
    names.set(node.id, id)
  }
  const pasted = nodes.map((node) => {
    const named = renamed(withoutStrangers(node, names), names) as FileNode
    const { x, y } = positionOf(node) ?? { x: 0, y: 0 }
    const { positionAbsolute: _, parentNode: parent, ...rest } = named
    const inside = typeof parent === 'string' && taken.has(parent) ? { parentNode: parent } : {}
    const at = 'parentNode' in inside ? { x, y } : { x: x + shift, y: y + shift }
    return { ...rest, ...inside, position: at }
  })
  const edges = edgesOf(copied)
    .filter(({ source, target }) => names.has(source) && names.has(target))
    .map((edge) => renamed(edge, names))
  return {
    ids: [...taken],
    title: `paste ${nodes.length === 1 ? 'a node' : `${nodes.length} nodes`}`,
    apply: (now) => ({ ...now, nodes: [...now.nodes, ...pasted], edges: [...edgesOf(now), ...edges] }),
  }
}

/** Gives nodes other ids, in all places that name them. */
export const renameNodes = (file: FlowFile, names: ReadonlyMap<string, string>): FlowFile => ({
  ...file,
  nodes: file.nodes.map((node) => renamed(node, names)),
  edges: edgesOf(file).map((edge) => renamed(edge, names)),
})

function withoutStrangers(node: FileNode, names: ReadonlyMap<string, string>): FileNode {
  if (!isObject(node.data.inputs)) return node
  const known = (value: Json) => names.has(referenceOf(value) ?? '') || referenceOf(value) === undefined
  const inputs: JsonObject = {}
  for (const [name, value] of Object.entries(node.data.inputs))
    inputs[name] = Array.isArray(value) ? value.filter(known) : known(value) ? value : ''
  return { ...node, data: { ...node.data, inputs } }
}

/** Renames ids in every text: the ids themselves, handles that begin with one, and references within texts. */
function renamed(value: Json, names: ReadonlyMap<string, string>): Json {
  if (Array.isArray(value)) return value.map((one) => renamed(one, names))
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, renamed(one, names)]))
  if (typeof value !== 'string') return value
  const exact = names.get(value)
  if (exact !== undefined) return exact
  return value.replace(
    /(\{\{\s*)([\w-]+)(?=\.data\.)|([\w]+_\d+)(?=-(?:input|output)-)/g,
    (whole, open, one, other) => {
      const name = names.get((one ?? other) as string)
      return name === undefined ? whole : `${open ?? ''}${name}`
    },
  )
}
