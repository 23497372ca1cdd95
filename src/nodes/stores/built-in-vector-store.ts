import { anchor, anchors, defineNode } from '../../contract/card.ts'
import { choice, number, object, text } from '../../contract/field.ts'
import { parseFilter } from '../../vector/filter.ts'

export const builtInVectorStore = defineNode({
  kind: 'vectorStore',
  name: 'builtInVectorStore',
  label: 'Built-in Vector Store',
  version: 1,
  category: 'Vector Stores',
  type: 'BuiltInVectorStore',
  baseClasses: ['BuiltInVectorStore', 'VectorStoreRetriever', 'BaseRetriever'],
  description: 'Chunks, vectors and keywords in this server’s own database',
  fields: {
    namespace: text('Namespace', undefined, {
      description: 'Flows of one namespace share it; default: the flow’s own',
      guard: 'table',
    }),
    topK: number('Top K', 4, { whole: true, min: 1, max: 1000 }, { additional: true }),
    searchType: choice('Search Type', ['similarity', 'mmr'], 'similarity', { additional: true }),
    filter: object('Metadata Filter', { additional: true }),
  },
  anchors: {
    document: anchors('loader', 'Document', 'Document'),
    embeddings: anchor('embedder', 'Embeddings', 'Embeddings'),
    recordManager: anchor('recordManager', 'Record Manager', 'RecordManager', { optional: true }),
  },
  build({ values, parts }, { flowId, openStore }) {
    const namespace = values.namespace ?? parts.recordManager?.namespace ?? flowId
    const filter = Object.keys(values.filter).length > 0 ? parseFilter(values.filter) : undefined
    return {
      store: openStore(namespace),
      embedder: parts.embeddings!,
      loaders: parts.document,
      ...(parts.recordManager ? { recordManager: parts.recordManager } : {}),
      retrieval: { topK: values.topK, searchType: values.searchType, ...(filter ? { filter } : {}) },
    }
  },
})
