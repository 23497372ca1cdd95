import { anchor, defineNode } from '../../contract/card.ts'
import { credentialField, numberField, secretField, textField } from '../../contract/field.ts'
import { withReranker } from './with-reranker.ts'

export const cohereRerankRetriever = defineNode({
  kind: 'vectorStore',
  name: 'cohereRerankRetriever',
  label: 'Cohere Rerank Retriever',
  version: 1,
  category: 'Retrievers',
  type: 'Cohere Rerank Retriever',
  baseClasses: ['Cohere Rerank Retriever', 'BaseRetriever'],
  description: 'Has Cohere judge what a vector store has found',
  fields: {
    credential: credentialField('Connect Credential', ['cohereApi']),
    cohereApiKey: secretField('Cohere API Key'),
    model: textField('Model Name', 'rerank-v3.5'),
    topK: numberField(
      'Top K',
      undefined,
      { whole: true, min: 1, max: 1000 },
      {
        additional: true,
        description: 'How many chunks are given; as many as the vector store gives unless said',
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
      key: { given: cohereApiKey, credential, field: 'cohereApiKey' },
      topK,
    }
    return withReranker(parts.baseRetriever!, service, context)
  },
})
