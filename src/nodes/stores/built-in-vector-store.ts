import { anchor, anchors, defineNode } from '../../contract/card.ts'
import { textField } from '../../contract/field.ts'
import { retrievalFields, retrievalSettings } from './retrieval-fields.ts'

export const builtInVectorStore = defineNode({
  kind: 'vectorStore',
  name: 'builtInVectorStore',
  label: 'Built-in Vector Store',
  version: 1,
  category: 'Vector Stores',
  type: 'BuiltInVectorStore',
  baseClasses: ['BuiltInVectorStore', 'VectorStoreRetriever', 'BaseRetriever'],
  description: 'Stores chunks, vectors and keywords in the database of this server',
  fields: {
    namespace: textField('Namespace', undefined, {
      description:
        'Flows with the same namespace share their chunks. Default: a namespace of its own for each flow',
      guard: 'table',
    }),
    ...retrievalFields,
  },
  anchors: {
    document: anchors('loader', 'Document', 'Document'),
    embeddings: anchor('embedder', 'Embeddings', 'Embeddings'),
    recordManager: anchor('recordManager', 'Record Manager', 'RecordManager', { optional: true }),
    reranker: anchor('reranker', 'Reranker', 'Reranker', { optional: true }),
  },
  build({ values, parts }, { flowId, openStore }) {
    const namespace = values.namespace ?? parts.recordManager?.namespace ?? flowId
    return {
      store: openStore(namespace),
      embedder: parts.embeddings!,
      loaders: parts.document,
      ...(parts.recordManager ? { recordManager: parts.recordManager } : {}),
      retrieval: retrievalSettings(values, parts.reranker),
    }
  },
})
