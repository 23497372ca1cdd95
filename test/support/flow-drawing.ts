import type { JsonObject } from '../../src/kit/json.ts'

/** A short description of a flow; the rest has simple defaults. */
export type Drawing = {
  name?: string
  /** Loader nodes and their inputs, by the name of the node: `{ pdfFile: {} }`. */
  loaders?: Record<string, JsonObject>
  splitter?: JsonObject | false
  recordManager?: JsonObject
  reranker?: JsonObject
  store?: JsonObject | false
  /** The names of their nodes, unless they are the built-in ones. */
  storeNode?: string
  recordManagerNode?: string
  /** Inputs that callers may override on any node; `false` turns overriding off. */
  overridable?: readonly string[] | false
  slug?: string
  apikeyid?: string
  apiConfig?: JsonObject
}

export const reference = (id: string) => `{{${id}.data.instance}}`

/** The body of a request that stores the flow. The id of a node is its name and `_0`. */
export function drawFlow(drawing: Drawing): JsonObject {
  const {
    loaders = { fileLoader: {} },
    splitter = {},
    recordManager,
    reranker,
    store = {},
    storeNode = 'builtInVectorStore',
    recordManagerNode = 'SQLiteRecordManager',
    overridable = ['files'],
  } = drawing
  const nodes = Object.entries(loaders).map(([name, inputs]) =>
    node(name, {
      ...(splitter ? { textSplitter: reference('recursiveCharacterTextSplitter_0') } : {}),
      ...inputs,
    }),
  )
  if (splitter) nodes.push(node('recursiveCharacterTextSplitter', splitter))
  if (recordManager) nodes.push(node(recordManagerNode, recordManager))
  if (reranker) nodes.push(node('rerankerCustom', reranker))
  if (store) {
    nodes.push(
      node('builtInEmbeddings', {}),
      node(storeNode, {
        document: Object.keys(loaders).map((name) => reference(`${name}_0`)),
        embeddings: reference('builtInEmbeddings_0'),
        ...(recordManager ? { recordManager: reference(`${recordManagerNode}_0`) } : {}),
        ...(reranker ? { reranker: reference('rerankerCustom_0') } : {}),
        ...store,
      }),
    )
  }
  const enabled = (overridable || []).map((name) => ({ name, label: name, type: 'string', enabled: true }))
  const overrideConfig = { status: overridable !== false, nodes: { '*': enabled } }
  return {
    name: drawing.name ?? 'A flow of the tests',
    ...(drawing.slug === undefined ? {} : { slug: drawing.slug }),
    ...(drawing.apikeyid === undefined ? {} : { apikeyid: drawing.apikeyid }),
    flowData: { nodes, edges: [] },
    apiConfig: { overrideConfig, ...drawing.apiConfig },
  }
}

function node(name: string, inputs: JsonObject): JsonObject {
  const id = `${name}_0`
  return { id, type: 'customNode', data: { id, name, label: `${name} node`, inputs } }
}
