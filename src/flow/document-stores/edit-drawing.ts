import type { NodeCard, PartKind } from '../../contract/card.ts'
import { SluiceError } from '../../kit/errors.ts'
import { isObject, type Json, type JsonObject, parseJson } from '../../kit/json.ts'
import { lenientJson } from '../../kit/lenient-json.ts'
import type { Catalog } from '../catalog.ts'
import { CREDENTIAL_INPUTS } from '../credentials.ts'
import { pluggedInto } from '../graph.ts'
import { substitute } from '../import/substitute.ts'
import { drawNode, drawTemplate, edgeBetween } from '../templates/draw-template.ts'
import { instance } from '../templates/template.ts'
import { DOC_ID_KEY, HIDDEN, readStoreDrawing } from './read-store.ts'

/** A drawing that is changed in place: the nodes of a document store that plug into its vector store. */
export type EditedDrawing = { nodes: JsonObject[]; edges: JsonObject[] } & JsonObject

/** A part as a request names it. Without `name` it stays of its type, and `config` is added to what it has. */
export type WantedPart = { name?: string | undefined; config?: JsonObject | undefined }

/** How a loader is to be; what is absent stays as it is. `splitter` null: no splitter. */
export type WantedLoader = {
  label?: string | undefined
  loader?: WantedPart | undefined
  splitter?: WantedPart | null | undefined
  metadata?: JsonObject | undefined
}

type StoreKind = 'embedder' | 'vectorStore' | 'recordManager'

/** The drawing of a new document store: the built-in embeddings and store, and a record manager that keeps no earlier versions. */
export function newStoreDrawing(catalog: Catalog): EditedDrawing {
  const nodes = {
    builtInEmbeddings_0: { name: 'builtInEmbeddings', x: 360, y: 420, inputs: {} },
    SQLiteRecordManager_0: {
      name: 'SQLiteRecordManager',
      x: 360,
      y: 640,
      inputs: { cleanup: 'incremental' },
    },
    builtInVectorStore_0: {
      name: 'builtInVectorStore',
      x: 740,
      y: 160,
      inputs: {
        document: [],
        embeddings: instance('builtInEmbeddings_0'),
        recordManager: instance('SQLiteRecordManager_0'),
      },
    },
  }
  const { flowData } = drawTemplate({ name: 'documentStore', title: '', about: '', nodes }, catalog)
  return editedDrawing(flowData)
}

/** A copy of a drawing to change. @throws SluiceError `flow_invalid` */
export function editedDrawing(flowData: string): EditedDrawing {
  const drawing = parseJson(flowData)
  if (!isObject(drawing) || !Array.isArray(drawing.nodes))
    throw new SluiceError('flow_invalid', { reason: 'it has no list of nodes' })
  if (!Array.isArray(drawing.edges)) drawing.edges = []
  return drawing as EditedDrawing
}

/**
 * Adds a loader, or changes the one with this id, with its splitter. Its documents get its id as metadata.
 *
 * @throws SluiceError `body_invalid` for a node of another kind or without a name, `node_not_found`
 */
export function putLoader(drawing: EditedDrawing, catalog: Catalog, id: string, wanted: WantedLoader): void {
  const { nodes } = readStoreDrawing(drawing, catalog)
  const before = dataOf(drawing, id)
  const card = cardFor(catalog, 'loader', wanted.loader?.name ?? nameOf(before), 'loader')
  const at = { x: 0, y: placeBelow(drawing) }
  const data = before && nameOf(before) === card.name ? before : replaced(drawing, card, id, at)
  fill(data, card, wanted.loader?.config ?? {})
  if (wanted.label !== undefined && wanted.label.trim() !== '') data.label = wanted.label.trim()
  const inputs = data.inputs as JsonObject
  const held = readObject(inputs.metadata)
  inputs.metadata = { ...(wanted.metadata ?? held), [DOC_ID_KEY]: id }
  connect(drawing, catalog, id, nodes.vectorStore, 'loader')
  if (wanted.splitter !== undefined) putSplitter(drawing, catalog, id, wanted.splitter)
}

/**
 * Copies a loader under a new id, with a splitter of its own.
 *
 * @param files whether the files that its drawing holds come along
 */
export function copyLoader(
  drawing: EditedDrawing,
  catalog: Catalog,
  { from, to, files }: { from: string; to: string; files: boolean },
): void {
  const { loaders } = readStoreDrawing(drawing, catalog)
  const data = dataOf(drawing, from)!
  const card = cardFor(catalog, 'loader', nameOf(data), 'loader')
  const splitter = loaders.find(({ id }) => id === from)?.splitter
  const copy = replaced(drawing, card, to, { x: 0, y: placeBelow(drawing) })
  const inputs = Object.entries(structuredClone(data.inputs) as JsonObject)
  const isKept = (name: string) =>
    !Object.hasOwn(card.anchors, name) && (files || card.fields[name]?.type !== 'file')
  Object.assign(copy.inputs as JsonObject, Object.fromEntries(inputs.filter(([name]) => isKept(name))))
  if (data.credential !== undefined) copy.credential = data.credential
  if (data.label !== undefined) copy.label = data.label
  putLoader(drawing, catalog, to, splitter ? { splitter } : {})
}

/** Removes a loader, and its splitter where no other one uses it. */
export function removeLoader(drawing: EditedDrawing, catalog: Catalog, id: string): void {
  const { loaders } = readStoreDrawing(drawing, catalog)
  const splitter = loaders.find((loader) => loader.id === id)?.splitter
  removeNode(drawing, id)
  const isShared = loaders.some((loader) => loader.id !== id && loader.splitter?.nodeId === splitter?.nodeId)
  if (splitter && !isShared) removeNode(drawing, splitter.nodeId)
}

/**
 * Sets the embeddings, the vector store or the record manager. A part of another type takes the place of the earlier one, with all
 * that plugs into it. Null removes a record manager.
 *
 * @throws SluiceError `body_invalid`, `node_not_found`
 */
export function putStorePart(
  drawing: EditedDrawing,
  catalog: Catalog,
  kind: StoreKind,
  wanted: WantedPart | null,
): void {
  const { nodes } = readStoreDrawing(drawing, catalog)
  const id = {
    embedder: nodes.embedding,
    vectorStore: nodes.vectorStore,
    recordManager: nodes.recordManager,
  }[kind]
  if (wanted === null) {
    if (kind === 'recordManager' && id !== undefined) removeNode(drawing, id)
    return
  }
  const before = id === undefined ? undefined : dataOf(drawing, id)
  const card = cardFor(catalog, kind, wanted.name ?? nameOf(before), NAMES[kind])
  if (before && nameOf(before) === card.name) {
    fill(before, card, wanted.config ?? {})
    return
  }
  const target = id ?? freshId(drawing, card.name)
  const data = replaced(drawing, card, target, { x: 360, y: placeBelow(drawing) })
  if (kind === 'vectorStore' && before) keepPlugged(data, before, card)
  fill(data, card, wanted.config ?? {})
  if (id === undefined) connect(drawing, catalog, target, nodes.vectorStore, kind)
}

const NAMES = { embedder: 'embedding', vectorStore: 'vectorStore', recordManager: 'recordManager' } as const

/** The card of a node that a request names. */
function cardFor(catalog: Catalog, kind: PartKind, name: string | undefined, field: string): NodeCard {
  if (name === undefined || name === '')
    throw new SluiceError('body_invalid', { reason: `${field}: expected an object with a name` })
  const card = catalog.get(substitute(name, {})?.by ?? name)
  if (!card) throw new SluiceError('node_not_found', { name })
  if (card.kind !== kind)
    throw new SluiceError('body_invalid', { reason: `${field}: ${name} is a node of another kind` })
  return card
}

/** Sets inputs of a node. A credential stands beside them; what is hidden or is a file of another server stays as it was. */
function fill(data: JsonObject, card: NodeCard, config: JsonObject): void {
  const inputs = (isObject(data.inputs) ? data.inputs : {}) as JsonObject
  data.inputs = inputs
  for (const [name, value] of Object.entries(config)) {
    if (CREDENTIAL_INPUTS.includes(name)) {
      if (typeof value === 'string' && value !== '') data.credential = value
      else delete data.credential
    } else if (Object.hasOwn(card.anchors, name) || !isNew(value)) continue
    else inputs[name] = value
  }
}

const isNew = (value: Json): boolean =>
  value !== HIDDEN && !(typeof value === 'string' && value.startsWith('FILE-STORAGE::'))

/** A new node in the place of the one with this id, or beside the others. */
function replaced(
  drawing: EditedDrawing,
  card: NodeCard,
  id: string,
  place: { x: number; y: number },
): JsonObject {
  const at = drawing.nodes.findIndex((node) => node.id === id)
  const position = drawing.nodes[at]?.position
  const node = drawNode(id, { ...place, inputs: {} }, card, false)
  if (at >= 0)
    drawing.nodes[at] = { ...node, ...(isObject(position) ? { position: position as JsonObject } : {}) }
  else drawing.nodes.push(node)
  // Edges name the outputs of a node by its type, which may be another one now; the inputs hold every connection.
  drawing.edges = drawing.edges.filter((edge) => edge.source !== id)
  return (at >= 0 ? drawing.nodes[at]! : node).data as JsonObject
}

/** What plugs into a store plugs into the one that takes its place. */
function keepPlugged(data: JsonObject, before: JsonObject, card: NodeCard): void {
  const held = (isObject(before.inputs) ? before.inputs : {}) as JsonObject
  const inputs = data.inputs as JsonObject
  for (const name of Object.keys(card.anchors)) if (held[name] !== undefined) inputs[name] = held[name]
  // The same name on every card, so that the chunks stay with the flow.
  if (typeof held.namespace === 'string' && Object.hasOwn(card.fields, 'namespace'))
    inputs.namespace = held.namespace
}

function putSplitter(
  drawing: EditedDrawing,
  catalog: Catalog,
  loader: string,
  wanted: WantedPart | null,
): void {
  const { loaders } = readStoreDrawing(drawing, catalog)
  const own = loaders.find(({ id }) => id === loader)
  const held = own?.splitter ?? undefined
  const isShared = loaders.some(({ id, splitter }) => id !== loader && splitter?.nodeId === held?.nodeId)
  if (wanted === null) {
    if (held) disconnect(drawing, held.nodeId, loader)
    if (held && !isShared) removeNode(drawing, held.nodeId)
    return
  }
  const card = cardFor(catalog, 'splitter', wanted.name ?? held?.name, 'splitter')
  if (!Object.values(catalog.get(own!.loader.name)?.anchors ?? {}).some(({ kind }) => kind === 'splitter'))
    return
  if (held && held.name === card.name && !isShared)
    return void fill(dataOf(drawing, held.nodeId)!, card, wanted.config ?? {})
  const config = held?.name === card.name ? { ...held.config, ...wanted.config } : (wanted.config ?? {})
  if (held) disconnect(drawing, held.nodeId, loader)
  if (held && !isShared) removeNode(drawing, held.nodeId)
  const id = freshId(drawing, card.name)
  fill(replaced(drawing, card, id, { x: -360, y: placeBelow(drawing) }), card, config)
  connect(drawing, catalog, id, loader, 'splitter')
}

/** Plugs a node into the anchor of another one that takes its kind. */
function connect(drawing: EditedDrawing, catalog: Catalog, from: string, to: string, kind: PartKind): void {
  const data = dataOf(drawing, to)!
  const card = catalog.get(nameOf(data)!)!
  const [anchor, { list }] = Object.entries(card.anchors).find(([, one]) => one.kind === kind)!
  const inputs = data.inputs as JsonObject
  const held = pluggedInto(inputs[anchor])
  if (!held.includes(from)) inputs[anchor] = list ? [...held, from].map(instance) : instance(from)
  const source = { id: from, card: catalog.get(nameOf(dataOf(drawing, from))!)! }
  const edge = edgeBetween(source, { id: to, card, anchor })
  if (!drawing.edges.some((one) => one.source === from && one.target === to)) drawing.edges.push(edge)
}

function disconnect(drawing: EditedDrawing, from: string, to: string): void {
  const inputs = dataOf(drawing, to)?.inputs
  if (isObject(inputs)) unplug(inputs as JsonObject, from)
  drawing.edges = drawing.edges.filter((edge) => edge.source !== from || edge.target !== to)
}

function removeNode(drawing: EditedDrawing, id: string): void {
  drawing.nodes = drawing.nodes.filter((node) => node.id !== id)
  drawing.edges = drawing.edges.filter((edge) => edge.source !== id && edge.target !== id)
  for (const { data } of drawing.nodes)
    if (isObject(data) && isObject(data.inputs)) unplug(data.inputs as JsonObject, id)
}

function unplug(inputs: JsonObject, id: string): void {
  for (const [name, value] of Object.entries(inputs)) {
    if (!pluggedInto(value).includes(id)) continue
    inputs[name] = Array.isArray(value) ? value.filter((one) => pluggedInto(one)[0] !== id) : ''
  }
}

const dataOf = (drawing: EditedDrawing, id: string): JsonObject | undefined => {
  const data = drawing.nodes.find((node) => node.id === id)?.data
  return isObject(data) ? (data as JsonObject) : undefined
}

const nameOf = (data: JsonObject | undefined): string | undefined =>
  typeof data?.name === 'string' ? data.name : undefined

function readObject(value: Json | undefined): JsonObject {
  const read = typeof value === 'string' ? lenientJson(value) : value
  return isObject(read) ? (read as JsonObject) : {}
}

function freshId(drawing: EditedDrawing, name: string): string {
  const taken = new Set(drawing.nodes.map(({ id }) => id))
  for (let at = 0; ; at++) if (!taken.has(`${name}_${at}`)) return `${name}_${at}`
}

/** Below all nodes, so that none covers another. */
const placeBelow = ({ nodes }: EditedDrawing): number =>
  nodes.reduce((lowest, { position }) => {
    const y = isObject(position) ? Number(position.y) : 0
    return Math.max(lowest, Number.isFinite(y) ? y + 240 : 0)
  }, 0)
