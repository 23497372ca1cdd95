import type { NodeCard, PartKind } from '../../contract/card.ts'
import { isEmptyInput } from '../../cards/field.ts'
import { SluiceError } from '../../kit/errors.ts'
import { isObject, type Json, type JsonObject } from '../../kit/json.ts'
import { lenientJson } from '../../kit/lenient-json.ts'
import type { Catalog } from '../catalog.ts'
import { type FlowGraph, type FlowNode, pluggedInto, readGraph } from '../graph.ts'
import { findStoreNode } from '../participants.ts'

/** The metadata key that names the loader of a chunk. */
export const DOC_ID_KEY = 'docId'

/** A node of a document store as the dialect names it: the name of its type, and its inputs without what plugs into it. */
export type StorePartConfig = { name: string; config: JsonObject }

/** `id`: that of its node, which is the `docId` of its documents. `label`: the name that users gave it. */
export type StoreLoader = {
  id: string
  label: string
  loader: StorePartConfig
  splitter: (StorePartConfig & { nodeId: string }) | null
}

/** A flow as a document store: what plugs into its only vector store. */
export type StoreDrawing = {
  /** The ids of the nodes of its parts. */
  nodes: { vectorStore: string; embedding: string | undefined; recordManager: string | undefined }
  loaders: StoreLoader[]
  embedding: StorePartConfig | null
  vectorStore: StorePartConfig
  recordManager: StorePartConfig | null
}

/**
 * Reads the parts of a document store from the drawing of its flow.
 *
 * @throws SluiceError `flow_cannot_query`, `flow_invalid`, `node_unknown`
 */
export function readStoreDrawing(flowData: unknown, catalog: Catalog): StoreDrawing {
  const graph = readGraph(flowData)
  const root = innerStore(graph, catalog, findStoreNode(graph, catalog, 'flow_cannot_query'))
  const pluggedOf = (node: FlowNode, kind: PartKind) => plugged(graph, catalog, node, kind)
  const [embedding] = pluggedOf(root, 'embedder')
  const [recordManager] = pluggedOf(root, 'recordManager')
  return {
    nodes: { vectorStore: root.id, embedding: embedding?.id, recordManager: recordManager?.id },
    loaders: pluggedOf(root, 'loader').map((node) => {
      const [splitter] = pluggedOf(node, 'splitter')
      const { name, config } = partConfig(node, catalog)
      const { metadata, ...rest } = config
      const own = withoutDocId(metadata)
      return {
        id: node.id,
        label: node.label,
        loader: { name, config: { ...rest, ...(own === undefined ? {} : { metadata: own }) } },
        splitter: splitter ? { ...partConfig(splitter, catalog), nodeId: splitter.id } : null,
      }
    }),
    embedding: embedding ? partConfig(embedding, catalog) : null,
    vectorStore: partConfig(root, catalog),
    recordManager: recordManager ? partConfig(recordManager, catalog) : null,
  }
}

/** The loader of a store with an id. @throws SluiceError `document_loader_not_found` */
export function findLoader(drawing: StoreDrawing, id: string, store: string): StoreLoader {
  const found = drawing.loaders.find((loader) => loader.id === id)
  if (!found) throw new SluiceError('document_loader_not_found', { loader: id, store })
  return found
}

/** The store that a reranker wraps is the one that loaders plug into. */
function innerStore(graph: FlowGraph, catalog: Catalog, node: FlowNode): FlowNode {
  const [wrapped] = plugged(graph, catalog, node, 'vectorStore')
  return wrapped ? innerStore(graph, catalog, wrapped) : node
}

/** The nodes of a kind that plug into a node, in their order. */
function plugged(graph: FlowGraph, catalog: Catalog, node: FlowNode, kind: PartKind): FlowNode[] {
  const anchors = Object.entries(catalog.get(node.name)?.anchors ?? {})
  const ids = anchors.flatMap(([name, anchor]) =>
    anchor.kind === kind ? pluggedInto(node.inputs[name]) : [],
  )
  return ids.flatMap((id) => graph.nodes.get(id) ?? [])
}

/** The inputs of a node that were set, without anchors and bytes of files. */
function partConfig(node: FlowNode, catalog: Catalog): StorePartConfig {
  const card = catalog.get(node.name)
  const config: JsonObject = {}
  for (const [name, value] of Object.entries(node.inputs))
    if (!isEmptyInput(value) && !(card && isAnchor(card, name)))
      config[name] = shown(card, name, value as Json)
  return { name: node.name, config }
}

const isAnchor = (card: NodeCard, name: string) => Object.hasOwn(card.anchors, name)

/** A stored file by its name, as Flowise shows one; a secret as there is one. */
function shown(card: NodeCard | undefined, name: string, value: Json): Json {
  const type = card && Object.hasOwn(card.fields, name) ? card.fields[name]!.type : undefined
  if (type === 'password') return HIDDEN
  if (type !== 'file' || typeof value !== 'string') return value
  const names = [...value.matchAll(/filename:([^"\]]+)/g)].map((found) => found[1]!)
  return names.length === 0 ? value : `FILE-STORAGE::${JSON.stringify(names)}`
}

/** What is shown of a secret. Sent back, it changes nothing. */
export const HIDDEN = '••••••'

function withoutDocId(metadata: Json | undefined): Json | undefined {
  const read = typeof metadata === 'string' ? lenientJson(metadata) : metadata
  if (!isObject(read)) return metadata
  const { [DOC_ID_KEY]: _, ...rest } = read as JsonObject
  return Object.keys(rest).length === 0 ? undefined : rest
}
