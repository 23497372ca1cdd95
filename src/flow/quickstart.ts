import type { NodeCard } from '../contract/card.ts'
import type { Json, JsonObject } from '../kit/json.ts'
import type { Catalog } from './catalog.ts'

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

function drawNode(id: string, { name, x, y, inputs }: Placed, card: NodeCard): JsonObject {
  const fields = Object.entries(card.fields)
  return {
    id,
    type: 'customNode',
    position: { x, y },
    data: {
      id,
      name,
      label: card.label,
      version: card.version,
      type: card.type,
      category: card.category,
      baseClasses: [...card.baseClasses],
      description: card.description,
      inputParams: fields.map(([input, field]) => ({
        id: `${id}-input-${input}-${field.type}`,
        name: input,
        label: field.label,
        type: field.type,
        ...(field.fileType ? { fileType: field.fileType } : {}),
        ...(field.options
          ? { options: field.options.map((option) => ({ label: option, name: option })) }
          : {}),
        optional: true,
        additionalParams: field.additional ?? false,
      })),
      inputAnchors: Object.entries(card.anchors).map(([anchor, { label, type, optional = false, list }]) => ({
        id: `${id}-input-${anchor}-${type}`,
        name: anchor,
        label,
        type,
        optional,
        list,
      })),
      inputs: {
        ...Object.fromEntries(fields.map(([input, field]) => [input, plainDefault(field.fallback)])),
        ...inputs,
      },
      outputAnchors: [{ id: outputOf(id, card), name, label: card.type, type: card.baseClasses.join(' | ') }],
      outputs: {},
      selected: false,
    },
  }
}

function plainDefault(fallback: unknown): Json {
  return typeof fallback === 'number' || typeof fallback === 'boolean' || typeof fallback === 'string'
    ? fallback
    : ''
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
