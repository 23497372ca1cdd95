import { anchor, defineNode } from '../../contract/card.ts'
import { flag, object, text } from '../../contract/field.ts'
import type { Tool } from '../../contract/tool.ts'
import { writtenName } from '../../tools/written-name.ts'
import { parseFilter } from '../../vector/filter.ts'

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
    name: text('Retriever Name', 'search'),
    description: text('Retriever Description', 'Searches documents and returns the passages that match', {
      description: 'When the model should use it, and what for',
    }),
    returnSourceDocuments: flag('Return Source Documents', false),
    retrieverToolMetadataFilter: object('Additional Metadata Filter', {
      additional: true,
      description: 'Chunks must match it besides the filter of the vector store',
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
    const tool: Tool = {
      name: writtenName(values.name, 'search'),
      description: values.description,
      parameters: {
        type: 'object',
        properties: { input: { type: 'string', description: 'What to look for' } },
        required: ['input'],
        additionalProperties: false,
      },
      async call({ input }, signal) {
        if (typeof input !== 'string' || input.trim() === '')
          return { output: 'Nothing was searched: input is missing', failed: true }
        const documents = await retrieve(part, input, narrowing, signal)
        const output = documents.map(({ pageContent }) => pageContent).join('\n\n')
        return {
          output: output === '' ? 'Nothing was found' : output,
          ...(returnSourceDocuments ? { documents } : {}),
        }
      },
    }
    return { tools: async () => [tool] }
  },
})
