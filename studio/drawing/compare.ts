import { type FileNode, type FlowFile, type Json, nodesOf, textOf } from './flow-file.ts'
import { connectionNames } from './connection-name.ts'
import { drawGraph } from './graph.ts'
import { kindOf, type NodeKinds } from './node-kinds.ts'
import { inputOfPart, isSame, partsOf } from './node-parts.ts'

/** A part of a node that differs between two versions. `name` is the part as `node-parts.ts` calls it. */
export type PartChange = {
  name: string
  label: string
  /** The type of the input; undefined for a part that is no input. */
  type: string | undefined
  before: Json | undefined
  after: Json | undefined
}

/** A node that differs between two versions. `parts` of a new or removed node are empty. */
export type NodeChange = {
  id: string
  label: string
  kind: 'added' | 'removed' | 'changed' | 'moved'
  parts: PartChange[]
}

/** What differs between two versions of a drawing; lines only between steps, because inputs show the others. */
export type DrawingChanges = { nodes: NodeChange[]; linesAdded: string[]; linesRemoved: string[] }

/** Compares two versions of a drawing by node and input. */
export function compareDrawings(before: FlowFile, after: FlowFile, kinds: NodeKinds): DrawingChanges {
  const [was, is] = [nodesById(before), nodesById(after)]
  const nodes: NodeChange[] = []
  for (const [id, node] of is) {
    const earlier = was.get(id)
    if (!earlier) nodes.push({ id, label: labelOf(node, kinds), kind: 'added', parts: [] })
    else nodes.push(...changesOf(id, earlier, node, kinds))
  }
  for (const [id, node] of was)
    if (!is.has(id)) nodes.push({ id, label: labelOf(node, kinds), kind: 'removed', parts: [] })
  const [linesWere, linesAre] = [stepLines(before, kinds), stepLines(after, kinds)]
  return {
    nodes,
    linesAdded: [...linesAre].filter((line) => !linesWere.has(line)),
    linesRemoved: [...linesWere].filter((line) => !linesAre.has(line)),
  }
}

export const isUnchanged = ({ nodes, linesAdded, linesRemoved }: DrawingChanges): boolean =>
  nodes.length + linesAdded.length + linesRemoved.length === 0

export const nodesById = (file: FlowFile): Map<string, FileNode> =>
  new Map(nodesOf(file).map((node) => [node.id, node]))

export const labelOf = (node: FileNode, kinds: NodeKinds): string =>
  textOf(node.data.label) || kindOf(node, kinds).kind.label

const PART_LABELS: Record<string, string> = {
  label: 'Name of the node',
  credential: 'Credential',
  place: 'Place',
  rest: 'Other data',
}

/** What a part is called on the screen, and the type of its input. */
export function partNames(
  node: FileNode,
  part: string,
  kinds: NodeKinds,
): { label: string; type: string | undefined } {
  const name = inputOfPart(part)
  if (name === undefined) return { label: PART_LABELS[part] ?? part, type: undefined }
  const input = kindOf(node, kinds).kind.inputs.find((one) => one.name === name)
  return { label: input?.label ?? name, type: input?.type }
}

function changesOf(id: string, before: FileNode, after: FileNode, kinds: NodeKinds): NodeChange[] {
  const [was, is] = [partsOf(before), partsOf(after)]
  const names = new Set([...was.keys(), ...is.keys()])
  const parts = [...names].flatMap((name) =>
    isSame(was.get(name), is.get(name))
      ? []
      : [{ name, ...partNames(after, name, kinds), before: was.get(name), after: is.get(name) }],
  )
  if (parts.length === 0) return []
  const kind = parts.every(({ name }) => name === 'place') ? 'moved' : 'changed'
  return [{ id, label: labelOf(after, kinds), kind, parts: parts.filter(({ name }) => name !== 'place') }]
}

/** The lines between steps in words: `Start → Agent`. */
function stepLines(file: FlowFile, kinds: NodeKinds): Set<string> {
  const graph = drawGraph(file, kinds)
  const names = connectionNames(graph)
  return new Set(graph.connections.flatMap(({ id, plug }) => (plug === undefined ? [names.get(id)!] : [])))
}
