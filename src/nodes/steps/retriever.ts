import { choiceField, rowListField, textField } from '../../cards/field.ts'
import { defineStep, keyValues, textOfCell } from './step-card.ts'
import { flowStoreColumns, stateColumns } from './step-columns.ts'

export const retrieverAgentflow = defineStep({
  name: 'retrieverAgentflow',
  label: 'Retriever',
  version: 1.1,
  icon: 'search',
  description: 'Searches the stores of other flows',
  fields: {
    retrieverKnowledgeDocumentStores: rowListField('Knowledge (Document Stores)', {
      main: true,
      guard: 'table',
      refersTo: { kind: 'flow', column: 'documentStore', store: true },
      description: 'Flows of this server, by id or slug, whose stores are searched',
      columns: flowStoreColumns,
    }),
    retrieverQuery: textField('Retriever Query', '{{question}}', { main: true, multiline: true }),
    outputFormat: choiceField('Output Format', ['text', 'textWithMetadata'], 'text'),
    retrieverUpdateState: rowListField('Update Flow State', { columns: stateColumns }),
  },
  build: (values) => ({
    type: 'retriever',
    flows: values.retrieverKnowledgeDocumentStores.map(
      (row) => textOfCell(row.documentStore).split(':', 1)[0]!,
    ),
    query: values.retrieverQuery,
    withMetadata: values.outputFormat === 'textWithMetadata',
    updateState: keyValues(values.retrieverUpdateState),
  }),
})
