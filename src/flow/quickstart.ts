import type { NodeCard } from '../contract/card.ts'
import type { Json, JsonObject } from '../kit/json.ts'
import type { Catalog } from './catalog.ts'
import { drawAnchors, drawFacts, drawParams, plainDefault } from './draw-card.ts'

/** The flow that is there after the first start, drawn as Flowise's editor would export it. */

type Placed = { name: string; x: number; y: number; inputs: JsonObject }

const NODES: Record<string, Placed> = {
  recursiveCharacterTextSplitter_0: { name: 'recursiveCharacterTextSplitter', x: 0, y: 0, inputs: {} },
  fileLoader_0: {
    name: 'fileLoader',
    x: 360,
    y: 0,
    inputs: { textSplitter: '{{recursiveCharacterTextSplitter_0.data.instance}}' },
  },
  builtInEmbeddings_0: { name: 'builtInEmbeddings', x: 360, y: 420, inputs: {} },
  SQLiteRecordManager_0: { name: 'SQLiteRecordManager', x: 360, y: 640, inputs: { cleanup: 'incremental' } },
  builtInVectorStore_0: {
    name: 'builtInVectorStore',
    x: 740,
    y: 160,
    inputs: {
      document: ['{{fileLoader_0.data.instance}}'],
      embeddings: '{{builtInEmbeddings_0.data.instance}}',
      recordManager: '{{SQLiteRecordManager_0.data.instance}}',
    },
  },
}

const OVERRIDABLE: Record<string, string[]> = {
  fileLoader_0: ['files', 'metadata', 'returnSourceDocuments'],
  recursiveCharacterTextSplitter_0: ['chunkSize', 'chunkOverlap'],
  builtInVectorStore_0: ['topK'],
}

export function quickstartFlow(catalog: Catalog): {
  name: string
  slug: string
  flowData: string
  apiConfig: JsonObject
} {
  const nodes = Object.entries(NODES).map(([id, placed]) => drawNode(id, placed, catalog.get(placed.name)!))
  const edges = Object.entries(NODES).flatMap(([id, { inputs }]) =>
    Object.entries(inputs).flatMap(([anchor, value]) =>
      [value].flat().flatMap((reference) => drawEdge(id, anchor, reference, catalog)),
    ),
  )
  return {
    name: 'Quickstart',
    slug: 'quickstart',
    flowData: JSON.stringify({ nodes, edges, viewport: { x: 0, y: 0, zoom: 1 } }),
    apiConfig: { overrideConfig: { status: true, nodes: overrideNodes(catalog) } },
  }
}

function drawNode(id: string, { x, y, inputs }: Placed, card: NodeCard): JsonObject {
  const defaults = Object.entries(card.fields).map(([input, field]) => [input, plainDefault(field.fallback)])
  return {
    id,
    type: 'customNode',
    position: { x, y },
    data: {
      id,
      ...drawFacts(card),
      inputParams: drawParams(card, id),
      inputAnchors: drawAnchors(card, id),
      inputs: { ...Object.fromEntries(defaults), ...inputs },
      outputAnchors: [
        { id: outputOf(id, card), name: card.name, label: card.type, type: card.baseClasses.join(' | ') },
      ],
      outputs: {},
      selected: false,
    },
  }
}

const outputOf = (id: string, card: NodeCard) => `${id}-output-${card.name}-${card.baseClasses.join('|')}`

function drawEdge(target: string, anchor: string, reference: Json, catalog: Catalog): JsonObject[] {
  const source =
    typeof reference === 'string' ? /^\{\{(\w+)\.data\.instance\}\}$/.exec(reference)?.[1] : undefined
  if (source === undefined) return []
  const type = catalog.get(NODES[target]!.name)!.anchors[anchor]!.type
  const sourceHandle = outputOf(source, catalog.get(NODES[source]!.name)!)
  const targetHandle = `${target}-input-${anchor}-${type}`
  return [
    {
      source,
      sourceHandle,
      target,
      targetHandle,
      type: 'buttonedge',
      id: `${source}-${sourceHandle}-${target}-${targetHandle}`,
      data: { label: '' },
    },
  ]
}

function overrideNodes(catalog: Catalog): JsonObject {
  return Object.fromEntries(
    Object.entries(OVERRIDABLE).map(([id, names]) => [
      catalog.get(NODES[id]!.name)!.label,
      names.map((name) => ({ label: name, name, type: 'string', enabled: true })),
    ]),
  )
}
