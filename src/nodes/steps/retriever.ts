import { choice, rows, text } from '../../contract/field.ts'
import { defineStep, pairs, textOf } from './declare.ts'

export const retrieverAgentflow = defineStep({
  name: 'retrieverAgentflow',
  label: 'Retriever',
  version: 1.1,
  description: 'Finds chunks in the stores of other flows',
  fields: {
    retrieverKnowledgeDocumentStores: rows('Knowledge (Document Stores)', {
      guard: 'table',
      refersTo: { kind: 'flow', column: 'documentStore' },
      description: 'Flows of this server, by id or slug, whose stores are looked into',
    }),
    retrieverQuery: text('Retriever Query', '{{question}}'),
    outputFormat: choice('Output Format', ['text', 'textWithMetadata'], 'text'),
    retrieverUpdateState: rows('Update Flow State'),
  },
  build: (values) => ({
    type: 'retriever',
    flows: values.retrieverKnowledgeDocumentStores.map((row) => textOf(row.documentStore).split(':', 1)[0]!),
    query: values.retrieverQuery,
    withMetadata: values.outputFormat === 'textWithMetadata',
    updateState: pairs(values.retrieverUpdateState),
  }),
})
