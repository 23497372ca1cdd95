import { anchor } from '../../cards/anchors.ts'
import { defineNode } from '../../cards/define-node.ts'
import { credentialField, numberField, secretField, textField } from '../../cards/field.ts'
import { withReranker } from './with-reranker.ts'

export const jinaRerankRetriever = defineNode({
  kind: 'vectorStore',
  name: 'JinaRerankRetriever',
  label: 'Jina AI Rerank Retriever',
  version: 1,
  category: 'Retrievers',
  type: 'JinaRerankRetriever',
  baseClasses: ['JinaRerankRetriever', 'BaseRetriever'],
  description: 'Reranks the chunks that a vector store finds, with Jina AI',
  fields: {
    credential: credentialField('Connect Credential', ['jinaAIApi']),
    jinaAIAPIKey: secretField('Jina AI API Key'),
    model: textField('Model Name', 'jina-reranker-v2-base-multilingual', { main: true }),
    topN: numberField(
      'Top N',
      4,
      { whole: true, min: 1, max: 1000 },
      {
        main: true,
        additional: true,
        description: 'The number of chunks to return',
      },
    ),
    basePath: textField('Base Path', 'https://api.jina.ai/v1', { additional: true, guard: 'url' }),
  },
  anchors: { baseRetriever: anchor('vectorStore', 'Vector Store Retriever', 'VectorStoreRetriever') },
  build({ values, parts }, context) {
    const { jinaAIAPIKey, credential, model, topN, basePath } = values
    const service = {
      provider: 'Jina AI',
      model,
      baseURL: basePath,
      key: { nodeKey: jinaAIAPIKey, credential, field: 'jinaAIAPIKey' },
      topK: topN,
    }
    return withReranker(parts.baseRetriever!, service, context)
  },
})
