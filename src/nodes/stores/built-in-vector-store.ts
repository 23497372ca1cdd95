import { defineNode } from '../../cards/define-node.ts'
import { retrievalFields, retrievalSettings } from './retrieval-fields.ts'
import { namespaceField, storeAnchors, storePart } from './store-fields.ts'

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
    namespace: namespaceField,
    ...retrievalFields,
    mode: { ...retrievalFields.mode, main: true },
  },
  anchors: storeAnchors,
  build({ values, parts }, { flowId, openStore }) {
    const { namespace } = values
    return storePart({ namespace, parts, flowId }, openStore, retrievalSettings(values, parts.reranker))
  },
})
