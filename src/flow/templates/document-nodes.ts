import type { JsonObject } from '../../kit/json.ts'
import { type FlowTemplate, instance, type PlacedNode } from './template.ts'

/** The nodes that most templates share: from a loader to a store, and a model that answers from the store. */

type Loader = { name: string; inputs?: JsonObject; overridable?: readonly string[] }

/** A loader, a splitter, the built-in embeddings and store, and a record manager with incremental cleanup. */
export function documentNodes({ name, inputs = {}, overridable = ['files'] }: Loader) {
  const loader = `${name}_0`
  const nodes: Record<string, PlacedNode> = {
    sluiceTextSplitter_0: { name: 'sluiceTextSplitter', x: 0, y: 0, inputs: {} },
    [loader]: {
      name,
      x: 360,
      y: 0,
      inputs: { textSplitter: instance('sluiceTextSplitter_0'), ...inputs },
    },
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
        document: [instance(loader)],
        embeddings: instance('builtInEmbeddings_0'),
        recordManager: instance('SQLiteRecordManager_0'),
      },
    },
  }
  return {
    nodes,
    overridable: {
      [loader]: [...overridable, 'metadata', 'returnSourceDocuments'],
      sluiceTextSplitter_0: ['chunkSize', 'chunkOverlap'],
      builtInVectorStore_0: ['topK'],
    } satisfies FlowTemplate['overridable'],
  }
}

/** A chat model that answers from the store and returns the source documents. */
export const answeringNodes: Readonly<Record<string, PlacedNode>> = {
  chatOpenAI_0: { name: 'chatOpenAI', x: 740, y: 640, inputs: {} },
  bufferMemory_0: { name: 'bufferMemory', x: 740, y: 1120, inputs: {} },
  conversationalRetrievalQAChain_0: {
    name: 'conversationalRetrievalQAChain',
    x: 1120,
    y: 320,
    inputs: {
      model: instance('chatOpenAI_0'),
      vectorStoreRetriever: instance('builtInVectorStore_0'),
      memory: instance('bufferMemory_0'),
      returnSourceDocuments: true,
    },
  },
}
