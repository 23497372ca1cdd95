import { anchor, defineNode } from '../../contract/card.ts'
import { credential, number, secret, text } from '../../contract/field.ts'
import { withReranker } from './with-reranker.ts'

export const jinaRerankRetriever = defineNode({
  kind: 'vectorStore',
  name: 'JinaRerankRetriever',
  label: 'Jina AI Rerank Retriever',
  version: 1,
  category: 'Retrievers',
  type: 'JinaRerankRetriever',
  baseClasses: ['JinaRerankRetriever', 'BaseRetriever'],
  description: 'Has Jina AI judge what a vector store has found',
  fields: {
    credential: credential('Connect Credential', ['jinaAIApi']),
    jinaAIAPIKey: secret('Jina AI API Key'),
    model: text('Model Name', 'jina-reranker-v2-base-multilingual'),
    topN: number(
      'Top N',
      4,
      { whole: true, min: 1, max: 1000 },
      {
        additional: true,
        description: 'How many chunks are given',
      },
    ),
    basePath: text('Base Path', 'https://api.jina.ai/v1', { additional: true, guard: 'url' }),
  },
  anchors: { baseRetriever: anchor('vectorStore', 'Vector Store Retriever', 'VectorStoreRetriever') },
  build({ values, parts }, context) {
    const { jinaAIAPIKey, credential, model, topN, basePath } = values
    const service = {
      provider: 'Jina AI',
      model,
      baseURL: basePath,
      key: { given: jinaAIAPIKey, credential, field: 'jinaAIAPIKey' },
      topK: topN,
    }
    return withReranker(parts.baseRetriever!, service, context)
  },
})
