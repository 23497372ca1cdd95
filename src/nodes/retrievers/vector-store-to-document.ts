import { anchor } from '../../cards/anchors.ts'
import { defineNode } from '../../cards/define-node.ts'
import { numberField, textField } from '../../cards/field.ts'

export const vectorStoreToDocument = defineNode({
  kind: 'passages',
  name: 'vectorStoreToDocument',
  label: 'Vector Store to Document',
  version: 2,
  category: 'Retrievers',
  type: 'Document',
  baseClasses: ['Document'],
  description: 'Searches a vector store; what it finds is {{ID.data.instance}} in the prompt of a chain',
  fields: {
    query: textField('Query', '', {
      main: true,
      multiline: true,
      description: 'What is searched; the answer of a chain may stand in it. Default: the question',
    }),
    minScore: numberField(
      'Minimum Score',
      undefined,
      { min: 0, max: 100 },
      { additional: true, unit: 'percent', description: 'Passages of a lower score are left out' },
    ),
  },
  anchors: { vectorStore: anchor('vectorStore', 'Vector Store', 'VectorStoreRetriever | BaseRetriever') },
  build: ({ values: { query, minScore }, parts }) => {
    const { retrieval, ...store } = parts.vectorStore!
    return {
      query,
      retriever: {
        ...store,
        retrieval: minScore === undefined ? retrieval : { ...retrieval, minScore: minScore / 100 },
      },
    }
  },
})
