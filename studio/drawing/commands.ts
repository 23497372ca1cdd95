import type { NodeKindAnswer } from '../../src/api/node.ts'
import {
  edgesOf,
  type FileEdge,
  type FileNode,
  type FlowFile,
  findNode,
  inputsOf,
  isObject,
  type Json,
  type JsonObject,
  nodesOf,
  type Point,
  referenceOf,
  referencesOf,
  referenceTo,
  textOf,
  withNode,
} from './flow-file.ts'
import { type Connection, type DrawnNode, outputOfEdge, plugOfEdge } from './graph.ts'
import { freeNodeId, newNode, outputHandle } from './new-node.ts'
import type { NodeInput } from './node-kinds.ts'

/**
 * A change of a drawing: undo, the mark for unsaved changes and saving see every change, because there is no other way
 * to make one. Commands with the same `merge` that follow one another are undone together, such as typed letters.
 */
export type Command = { title: string; merge?: string; apply(file: FlowFile): FlowFile }

/** A new node; its id is known at once, so that it can be selected. */
export function addNode(file: FlowFile, kind: NodeKindAnswer, at: Point): Command & { id: string } {
  const id = freeNodeId(file, kind.name)
  return {
    id,
    title: `add ${kind.label}`,
    apply: (now) => ({ ...now, nodes: [...now.nodes, newNode(kind, id, at)] }),
  }
}

/** A new node that is plugged into a node which is there. */
export function addPlugged(
  file: FlowFile,
  kind: NodeKindAnswer,
  at: Point,
  target: DrawnNode,
  plug: NodeInput,
): Command & { id: string } {
  const added = addNode(file, kind, at)
  return {
    id: added.id,
    title: `add ${kind.label} to ${target.label}`,
    apply: (now) => plugIn(added.apply(now), { id: added.id, kind }, target.id, plug),
  }
}

/** A new node into which a node that is there is plugged. */
export function addFedBy(
  file: FlowFile,
  kind: NodeKindAnswer,
  at: Point,
  source: DrawnNode,
  plug: NodeInput,
): Command & { id: string } {
  const added = addNode(file, kind, at)
  return {
    id: added.id,
    title: `add ${kind.label} behind ${source.label}`,
    apply: (now) => plugIn(added.apply(now), source, added.id, plug),
  }
}

export function addNote(file: FlowFile, at: Point): Command & { id: string } {
  const id = freeNodeId(file, 'stickyNote')
  const node = {
    id,
    type: 'stickyNote',
    position: at,
    data: {
      id,
      name: 'stickyNote',
      label: 'Note',
      type: 'StickyNote',
      category: 'Utilities',
      inputs: { note: '' },
    },
  }
  return { id, title: 'add a note', apply: (now) => ({ ...now, nodes: [...now.nodes, node] }) }
}

/** @param positions by the ids of the nodes that move */
export const moveNodes = (positions: ReadonlyMap<string, Point>, title = 'move'): Command => ({
  title,
  ...(title === 'move' ? { merge: `move ${[...positions.keys()].join(' ')}` } : {}),
  apply: (file) => ({
    ...file,
    nodes: file.nodes.map((node) => {
      const position = isObject(node) && typeof node.id === 'string' ? positions.get(node.id) : undefined
      if (!position || !isObject(node)) return node
      return { ...node, position, ...(isObject(node.positionAbsolute) ? { positionAbsolute: position } : {}) }
    }),
  }),
})

/** Plugs one node into another. A place for one node lets go of the node that was there. */
export const connect = (source: DrawnNode, target: DrawnNode, plug: NodeInput): Command => ({
  title: `connect ${source.label} to ${plug.label}`,
  apply: (file) => plugIn(file, source, target.id, plug),
})

function plugIn(
  file: FlowFile,
  source: { id: string; kind: NodeKindAnswer },
  target: string,
  plug: NodeInput,
): FlowFile {
  const node = findNode(file, target)
  if (!node) return file
  const held = inputsOf(node)[plug.name]
  const others = plug.list
    ? referencesOf(held)
        .filter((id) => id !== source.id)
        .map(referenceTo)
    : []
  const value: Json = plug.list ? [...others, referenceTo(source.id)] : referenceTo(source.id)
  const sourceHandle = handleOf(findNode(file, source.id), source)
  const targetHandle = `${target}-input-${plug.name}-${plug.type}`
  const edge: FileEdge = {
    source: source.id,
    sourceHandle,
    target,
    targetHandle,
    type: 'buttonedge',
    id: `${source.id}-${sourceHandle}-${target}-${targetHandle}`,
    data: { label: '' },
  }
  const kept = edgesOf(file).filter(
    (one) =>
      one.target !== target ||
      plugOfEdge(one) !== plug.name ||
      (plug.list === true && one.source !== source.id),
  )
  return { ...withInput(file, target, plug.name, value), edges: [...kept, edge] }
}

/** The output of a node as its file names it: the first of a choice of outputs unless one is chosen. */
function handleOf(node: FileNode | undefined, { id, kind }: { id: string; kind: NodeKindAnswer }): string {
  const [first] = Array.isArray(node?.data.outputAnchors) ? node.data.outputAnchors.filter(isObject) : []
  if (first && Array.isArray(first.options)) {
    const options = first.options.filter(isObject)
    const chosen = isObject(node?.data.outputs) ? node.data.outputs.output : undefined
    const option = options.find(({ name }) => name === chosen) ?? options[0]
    if (option) return textOf(option.id)
  }
  return textOf(first?.id) || outputHandle(id, kind)
}

/** Lets one step of an agent flow follow another. */
export const connectSteps = (source: DrawnNode, target: DrawnNode, output: number): Command => ({
  title: `let ${target.label} follow ${source.label}`,
  apply(file) {
    const sourceHandle =
      source.outputs.length > 1
        ? `${source.id}-output-${output}`
        : handleOf(findNode(file, source.id), source) || `${source.id}-output-${source.kind.name}`
    const edge: FileEdge = {
      source: source.id,
      sourceHandle,
      target: target.id,
      targetHandle: target.id,
      type: 'agentFlow',
      id: `${source.id}-${sourceHandle}-${target.id}-${target.id}`,
      data: {},
    }
    return { ...file, edges: [...edgesOf(file), edge] }
  },
})

/** @param name the connection in words */
export const disconnect = ({ source, target, plug, output }: Connection, name: string): Command => ({
  title: `disconnect ${name}`,
  apply(file) {
    const edges = edgesOf(file).filter(
      (edge) =>
        edge.source !== source ||
        edge.target !== target ||
        (plug === undefined ? outputOfEdge(edge) !== output : plugOfEdge(edge) !== plug),
    )
    const node = findNode(file, target)
    const without = node && plug !== undefined ? withoutReferences(inputsOf(node)[plug], [source]) : undefined
    const changed = without === undefined ? file : withInput(file, target, plug!, without)
    return { ...changed, edges }
  },
})

/** Removes nodes, what stands in a removed iteration, and all lines that led to or from them. */
export const removeNodes = (
  ids: readonly string[],
  title = ids.length === 1 ? 'remove a node' : `remove ${ids.length} nodes`,
): Command => ({
  title,
  apply(file) {
    const gone = new Set(ids)
    for (const node of nodesOf(file))
      if (typeof node.parentNode === 'string' && gone.has(node.parentNode)) gone.add(node.id)
    const nodes = file.nodes.flatMap((node) => {
      if (!isObject(node) || typeof node.id !== 'string') return [node]
      if (gone.has(node.id)) return []
      return [isObject(node.data) ? withoutInputsFrom(node as FileNode, [...gone]) : node]
    })
    const edges = edgesOf(file).filter(({ source, target }) => !gone.has(source) && !gone.has(target))
    return { ...file, nodes, edges }
  },
})

function withoutInputsFrom(node: FileNode, gone: readonly string[]): FileNode {
  const inputs = inputsOf(node)
  const changed = Object.entries(inputs).flatMap(([name, value]) => {
    const without = withoutReferences(value, gone)
    return without === undefined ? [] : [[name, without] as const]
  })
  if (changed.length === 0) return node
  return { ...node, data: { ...node.data, inputs: { ...inputs, ...Object.fromEntries(changed) } } }
}

/** A value without references to some nodes; undefined where it has none. */
function withoutReferences(value: Json | undefined, gone: readonly string[]): Json | undefined {
  const refersToGone = (one: Json) => gone.includes(referenceOf(one) ?? '')
  if (Array.isArray(value))
    return value.some(refersToGone) ? value.filter((one) => !refersToGone(one)) : undefined
  return value !== undefined && refersToGone(value) ? '' : undefined
}

/**
 * Sets inputs of a node.
 *
 * @param values the changed inputs by name
 * @param what the path of the input that a person changed, and its label: changes of the same path are undone together
 */
export const setInputs = (
  node: { id: string; label: string },
  values: JsonObject,
  what: { path: string; label: string },
): Command => ({
  title: `change ${what.label} of ${node.label}`,
  merge: `input ${node.id} ${what.path}`,
  apply: (file) =>
    withNode(file, node.id, (found) => {
      const { credential, ...others } = values
      const changed = { ...found, data: { ...found.data, inputs: { ...inputsOf(found), ...others } } }
      return credential === undefined ? changed : withCredential(changed, credential)
    }),
})

/** The editor of Flowise keeps the credential beside the inputs; older files among them. */
function withCredential(node: FileNode, value: Json): FileNode {
  const { FLOWISE_CREDENTIAL_ID: _, credential: __, ...inputs } = inputsOf(node)
  return { ...node, data: { ...node.data, credential: value, inputs } }
}

/** The id of the credential that a node uses; empty where it uses none. */
export const credentialOf = (node: FileNode | undefined): string => {
  if (!node) return ''
  const inputs = inputsOf(node)
  return textOf(node.data.credential) || textOf(inputs.FLOWISE_CREDENTIAL_ID) || textOf(inputs.credential)
}

/** Another label; settings of the flow that allow overrides name nodes by their labels. */
export const renameNode = (id: string, label: string): Command => ({
  title: `rename to ${label}`,
  merge: `rename ${id}`,
  apply: (file) => withNode(file, id, (node) => ({ ...node, data: { ...node.data, label } })),
})

function withInput(file: FlowFile, id: string, name: string, value: Json): FlowFile {
  return withNode(file, id, (node) => ({
    ...node,
    data: { ...node.data, inputs: { ...inputsOf(node), [name]: value } satisfies JsonObject },
  }))
}
