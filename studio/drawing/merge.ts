import { renameNodes } from './clipboard.ts'
import { labelOf, nodesById, partNames } from './compare.ts'
import {
  edgesOf,
  type FileEdge,
  type FileNode,
  type FlowFile,
  inputsOf,
  isObject,
  type Json,
  referenceOf,
  referencesOf,
  textOf,
} from './flow-file.ts'
import { plugOfEdge } from './graph.ts'
import { freeNodeId } from './new-node.ts'
import { isStep, type NodeKinds } from './node-kinds.ts'
import { isSame, partsOf, withParts } from './node-parts.ts'

export type Side = 'mine' | 'theirs'

/**
 * Something that one side or both have changed since the common version: a part of a node, or with the part `node` a whole
 * node. `conflict`: both changed it, in different ways.
 */
export type MergeItem = {
  key: string
  nodeId: string
  nodeLabel: string
  part: string
  label: string
  /** The type of the input; undefined for a part that is no input. */
  type: string | undefined
  conflict: boolean
  base: Json | undefined
  mine: Json | undefined
  theirs: Json | undefined
  /** The side that is taken unless a person chooses the other one. */
  usual: Side
}

export type Merge = {
  items: MergeItem[]
  /** The merged drawing. Without a choice for an item its usual side is taken. */
  apply(choices: ReadonlyMap<string, Side>): FlowFile
}

/** What stands for a node that is there, in items with the part `node`. */
const THERE = 'there'

/**
 * Merges two versions of a drawing that grew from one. A node that both sides added under one id is kept twice: mine gets
 * another id. A node that one side removed and the other changed stays unless a person chooses to remove it.
 */
export function mergeDrawings(base: FlowFile, given: FlowFile, theirs: FlowFile, kinds: NodeKinds): Merge {
  const mine = withoutClashes(base, given, theirs)
  const versions = { base: nodesById(base), mine: nodesById(mine), theirs: nodesById(theirs) }
  const ids = new Set([...versions.theirs.keys(), ...versions.mine.keys()])
  const items = [...ids].flatMap((id) =>
    itemsOf(
      { base: versions.base.get(id), mine: versions.mine.get(id), theirs: versions.theirs.get(id) },
      kinds,
    ),
  )
  return {
    items,
    apply(choices) {
      const sideOf = (item: MergeItem) => choices.get(item.key) ?? item.usual
      const chosen = new Map(items.map((item) => [item.key, sideOf(item)]))
      const nodes = [...ids].flatMap((id) => mergedNode(id, versions, items, chosen) ?? [])
      const held = new Map(nodes.map((node) => [node.id, node]))
      const edges = mergedEdges(base, mine, theirs).filter((edge) => isDrawn(edge, held))
      // Entries that the studio does not know are kept as the others have them.
      const unknown = theirs.nodes.filter((node) => !isObject(node) || !held.has(textOf(node.id)))
      const strangers = unknown.filter((node) => !isObject(node) || !ids.has(textOf(node.id)))
      return { ...theirs, ...membersOf(base, mine), nodes: [...nodes, ...strangers], edges }
    },
  }
}

type Versions = { base: FileNode | undefined; mine: FileNode | undefined; theirs: FileNode | undefined }

function itemsOf({ base, mine, theirs }: Versions, kinds: NodeKinds): MergeItem[] {
  const shown = mine ?? theirs ?? base
  if (!shown) return []
  const about = { nodeId: shown.id, nodeLabel: labelOf(shown, kinds) }
  if (!mine || !theirs) {
    const there = mine ?? theirs!
    const side: Side = mine ? 'mine' : 'theirs'
    const other: Side = mine ? 'theirs' : 'mine'
    const removed = base !== undefined
    const changed = removed && !isSameNode(base, there)
    return [
      {
        ...about,
        key: `${shown.id} node`,
        part: 'node',
        label: removed ? (mine ? 'They removed this node' : 'You removed this node') : 'New node',
        type: undefined,
        conflict: changed,
        base: base && THERE,
        mine: mine && THERE,
        theirs: theirs && THERE,
        usual: removed && !changed ? other : side,
      },
    ]
  }
  const [was, is, other] = [base ? partsOf(base) : new Map<string, Json>(), partsOf(mine), partsOf(theirs)]
  const names = new Set([...other.keys(), ...is.keys()])
  return [...names].flatMap((part): MergeItem[] => {
    const values = { base: was.get(part), mine: is.get(part), theirs: other.get(part) }
    if (isSame(values.mine, values.theirs)) return []
    const mineChanged = !isSame(values.mine, values.base)
    const theirsChanged = !isSame(values.theirs, values.base)
    const joined = mineChanged && theirsChanged ? joinedLists(values) : undefined
    if (joined) {
      if (isSame(joined, values.theirs)) return []
      values.mine = joined
    }
    return [
      {
        ...about,
        ...values,
        key: `${shown.id} ${part}`,
        part,
        ...partNames(shown, part, kinds),
        // Two places of one node are no reason to ask.
        conflict: mineChanged && theirsChanged && !joined && part !== 'place',
        usual: mineChanged ? 'mine' : 'theirs',
      },
    ]
  })
}

/**
 * Lists of connected nodes of both sides in one: what either side added, without what either side removed. Undefined where
 * a value is something else.
 */
function joinedLists({
  base,
  mine,
  theirs,
}: Pick<MergeItem, 'base' | 'mine' | 'theirs'>): Json[] | undefined {
  const isList = (value: Json | undefined): value is Json[] =>
    Array.isArray(value) && value.every((one) => referenceOf(one) !== undefined)
  if (!isList(mine) || !isList(theirs)) return undefined
  const was = isList(base) ? base : []
  const all = [...theirs, ...mine.filter((one) => !theirs.includes(one))]
  return all.filter((one) => !was.includes(one) || (mine.includes(one) && theirs.includes(one)))
}

function mergedNode(
  id: string,
  { mine, theirs }: { mine: Map<string, FileNode>; theirs: Map<string, FileNode> },
  items: readonly MergeItem[],
  chosen: ReadonlyMap<string, Side>,
): FileNode | undefined {
  const [my, their] = [mine.get(id), theirs.get(id)]
  const whole = chosen.get(`${id} node`)
  if (whole !== undefined) return whole === 'mine' ? my : their
  if (!my || !their) return my ?? their
  const mineParts = items
    .filter(({ nodeId, key }) => nodeId === id && chosen.get(key) === 'mine')
    .map(({ part, mine: value }) => [part, value] as const)
  return withParts(their, new Map(mineParts))
}

const isSameNode = (a: FileNode, b: FileNode): boolean => {
  const [first, second] = [partsOf(a), partsOf(b)]
  const names = new Set([...first.keys(), ...second.keys()])
  names.delete('place')
  return [...names].every((name) => isSame(first.get(name), second.get(name)))
}

/** Gives another id to each node of mine that the other side added, too, as another node. */
function withoutClashes(base: FlowFile, mine: FlowFile, theirs: FlowFile): FlowFile {
  const [was, is, other] = [nodesById(base), nodesById(mine), nodesById(theirs)]
  const names = new Map<string, string>()
  const taken = new Set(other.keys())
  for (const [id, node] of is) {
    const rival = other.get(id)
    if (was.has(id) || !rival || isSameNode(node, rival)) continue
    const fresh = freeNodeId(mine, textOf(node.data.name) || 'node', taken)
    taken.add(fresh)
    names.set(id, fresh)
  }
  return names.size === 0 ? mine : renameNodes(mine, names)
}

const edgeKey = ({ source, target, sourceHandle, targetHandle }: FileEdge): string =>
  [source, textOf(sourceHandle), target, textOf(targetHandle)].join('\n')

/** The edges of both sides, without those that one side has removed. */
function mergedEdges(base: FlowFile, mine: FlowFile, theirs: FlowFile): FileEdge[] {
  const keyed = (file: FlowFile) => new Map(edgesOf(file).map((edge) => [edgeKey(edge), edge]))
  const [was, is, other] = [keyed(base), keyed(mine), keyed(theirs)]
  const all = new Map([...other, ...is])
  return [...all].flatMap(([key, edge]) => (was.has(key) && !(is.has(key) && other.has(key)) ? [] : [edge]))
}

/** Whether both ends of an edge are there, and the input of a part still names its source. */
function isDrawn(edge: FileEdge, nodes: ReadonlyMap<string, FileNode>): boolean {
  const [source, target] = [nodes.get(edge.source), nodes.get(edge.target)]
  if (!source || !target) return false
  const plug = plugOfEdge(edge)
  if (isStep(target) || plug === undefined) return true
  const value = inputsOf(target)[plug]
  return value === undefined || referencesOf(value).includes(edge.source)
}

/** The members of the file besides nodes and edges that mine has changed. */
function membersOf(base: FlowFile, mine: FlowFile): FlowFile | Record<string, Json> {
  const changed = Object.entries(mine).filter(
    ([name, value]) => name !== 'nodes' && name !== 'edges' && !isSame(value, base[name]),
  )
  return Object.fromEntries(changed)
}
