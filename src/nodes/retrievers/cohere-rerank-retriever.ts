import { anchor } from '../../cards/anchors.ts'
import { defineNode } from '../../cards/define-node.ts'
import { credentialField, numberField, secretField, textField } from '../../cards/field.ts'
import { withReranker } from './with-reranker.ts'

export const cohereRerankRetriever = defineNode({
  kind: 'vectorStore',
  name: 'cohereRerankRetriever',
  label: 'Cohere Rerank Retriever',
  version: 1,
  category: 'Retrievers',
  type: 'Cohere Rerank Retriever',
  baseClasses: ['Cohere Rerank Retriever', 'BaseRetriever'],
  description: 'Reranks the chunks that a vector store finds, with Cohere',
  fields: {
    credential: credentialField('Connect Credential', ['cohereApi']),
    cohereApiKey: secretField('Cohere API Key'),
    model: textField('Model Name', 'rerank-v3.5', { main: true }),
    topK: numberField(
      'Top K',
      undefined,
      { whole: true, min: 1, max: 1000 },
      {
        main: true,
        additional: true,
        description: 'The number of chunks to return. Default: Top K of the vector store',
      },
    ),
    basePath: textField('Base Path', 'https://api.cohere.com/v2', { additional: true, guard: 'url' }),
  },
  anchors: { baseRetriever: anchor('vectorStore', 'Vector Store Retriever', 'VectorStoreRetriever') },
  build({ values, parts }, context) {
    const { cohereApiKey, credential, model, topK, basePath } = values
    const service = {
      provider: 'Cohere',
      model,
      baseURL: basePath,
      key: { nodeKey: cohereApiKey, credential, field: 'cohereApiKey' },
      topK,
    }
    return withReranker(parts.baseRetriever!, service, context)
  },
})
