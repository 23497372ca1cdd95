import { anchor } from '../../cards/anchors.ts'
import { defineNode } from '../../cards/define-node.ts'
import { flagField, objectField, textField } from '../../cards/field.ts'
import { sanitiseToolName } from '../../tools/sanitise-tool-name.ts'
import { searchTool } from '../../tools/search-tool.ts'
import { joinFilters, parseFilter } from '../../vector/filter.ts'

export const retrieverTool = defineNode({
  kind: 'tools',
  name: 'retrieverTool',
  label: 'Retriever Tool',
  version: 3,
  category: 'Tools',
  type: 'RetrieverTool',
  baseClasses: ['RetrieverTool', 'DynamicTool', 'Tool', 'StructuredTool', 'Runnable'],
  description: 'Lets the model search a vector store',
  fields: {
    name: textField('Retriever Name', 'search', { main: true }),
    description: textField(
      'Retriever Description',
      'Searches documents and returns the passages that match',
      {
        main: true,
        description: 'Tells the model when to use the tool, and for what',
      },
    ),
    returnSourceDocuments: flagField('Return Source Documents', false),
    retrieverToolMetadataFilter: objectField('Additional Metadata Filter', {
      merge: joinFilters,
      additional: true,
      description: 'Chunks must match this filter and the filter of the vector store',
    }),
  },
  anchors: { retriever: anchor('vectorStore', 'Retriever', 'BaseRetriever') },
  build({ values, parts }, { retrieve }) {
    const part = parts.retriever!
    const { returnSourceDocuments, retrieverToolMetadataFilter } = values
    const narrowing =
      Object.keys(retrieverToolMetadataFilter).length > 0
        ? { filter: parseFilter(retrieverToolMetadataFilter) }
        : {}
    const tool = searchTool({
      name: sanitiseToolName(values.name, 'search'),
      description: values.description,
      returnSourceDocuments,
      search: (query, signal) => retrieve(part, query, narrowing, signal),
    })
    return { tools: async () => [tool] }
  },
})
