/** Any JSON value. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

/** A place on the canvas, in pixels at zoom 1. */
export type Point = { x: number; y: number }

/** A node as the flow file holds it. Members that the studio does not know stay in the file as they are. */
export type FileNode = JsonObject & { id: string; data: JsonObject }
export type FileEdge = JsonObject & { id: string; source: string; target: string }

/**
 * A flow file (`flowData`): the drawing is this object and nothing beside it. Changes make a new object and share what
 * did not change, so that an unchanged file is saved as it was read.
 */
export type FlowFile = JsonObject & { nodes: Json[] }

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** @throws Error with a sentence for the person, where the text is not a flow file */
export function readFlowFile(text: string): FlowFile {
  if (text.trim() === '') return { nodes: [], edges: [] }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Error(`The file is not JSON: ${(error as Error).message}`)
  }
  if (!isObject(value) || !Array.isArray(value.nodes)) throw new Error('The file has no list of nodes')
  return value as FlowFile
}

/** The nodes that can be drawn: objects with an id and data. */
export const nodesOf = (file: FlowFile): FileNode[] =>
  file.nodes.filter(
    (node): node is FileNode => isObject(node) && typeof node.id === 'string' && isObject(node.data),
  )

/** The edges that can be drawn; some exports have no edges. */
export const edgesOf = (file: FlowFile): FileEdge[] =>
  (Array.isArray(file.edges) ? file.edges : []).filter(
    (edge): edge is FileEdge =>
      isObject(edge) && typeof edge.source === 'string' && typeof edge.target === 'string',
  )

export const findNode = (file: FlowFile, id: string): FileNode | undefined =>
  nodesOf(file).find((node) => node.id === id)

/** The file with one node replaced. */
export const withNode = (file: FlowFile, id: string, change: (node: FileNode) => FileNode): FlowFile => ({
  ...file,
  nodes: file.nodes.map((node) => (isObject(node) && node.id === id ? change(node as FileNode) : node)),
})

/** The values of a node's inputs, by name. */
export const inputsOf = (node: FileNode): JsonObject => (isObject(node.data.inputs) ? node.data.inputs : {})

export const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

export function positionOf(node: FileNode): Point | undefined {
  const { position } = node
  if (!isObject(position)) return undefined
  const { x, y } = position
  return typeof x === 'number' && typeof y === 'number' ? { x, y } : undefined
}

const REFERENCE = /^\{\{\s*([\w-]+)\.data\.instance\s*\}\}$/

/** The node that an input value points to, `{{textFile_0.data.instance}}`; undefined for another value. */
export const referenceOf = (value: Json | undefined): string | undefined =>
  typeof value === 'string' ? REFERENCE.exec(value.trim())?.[1] : undefined

export const referenceTo = (id: string): string => `{{${id}.data.instance}}`

/** The ids of the nodes that an input value points to: one reference, or a list of them. */
export const referencesOf = (value: Json | undefined): string[] =>
  (Array.isArray(value) ? value : [value]).map(referenceOf).filter((id) => id !== undefined)
