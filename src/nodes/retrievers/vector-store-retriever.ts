import { anchor } from '../../cards/anchors.ts'
import { defineNode } from '../../cards/define-node.ts'
import { textField } from '../../cards/field.ts'
import { sanitiseToolName } from '../../tools/sanitise-tool-name.ts'
import { searchTool } from '../../tools/search-tool.ts'

export const vectorStoreRetriever = defineNode({
  kind: 'tools',
  name: 'vectorStoreRetriever',
  label: 'Vector Store Retriever',
  version: 1,
  category: 'Retrievers',
  type: 'VectorStoreRetriever',
  baseClasses: ['NamedRetriever'],
  description: 'A vector store that a Multi Retrieval QA Chain may search',
  fields: {
    name: textField('Retriever Name', 'search', { main: true }),
    description: textField('Retriever Description', 'Searches documents', {
      main: true,
      multiline: true,
      description: 'Tells the model which questions it is good for',
    }),
  },
  anchors: { vectorStore: anchor('vectorStore', 'Vector Store', 'VectorStoreRetriever | BaseRetriever') },
  build({ values: { name, description }, parts }, { retrieve }) {
    const part = parts.vectorStore!
    const tool = searchTool({
      name: sanitiseToolName(name, 'search'),
      description,
      returnSourceDocuments: true,
      search: (query, signal) => retrieve(part, query, {}, signal),
    })
    return { tools: async () => [tool] }
  },
})
