import { choiceField, flagField, objectField, textField } from '../../cards/field.ts'
import { ANSWER_TYPES } from './step-card.ts'

/*
 * The columns of lists that several nodes of agent flows have. Forms use them; the nodes read the rows themselves.
 */

const value = { multiline: true } as const

/** Changes of the state of the flow. */
export const stateColumns = { key: textField('Key', ''), value: textField('Value', '', value) }

export const keyValueColumns = { key: textField('Key', ''), value: textField('Value', '') }

export const messageColumns = {
  role: choiceField('Role', ['system', 'assistant', 'developer', 'user'], 'system'),
  content: textField('Content', '', value),
}

/** The fields of an answer in JSON. */
export const answerColumns = {
  key: textField('Key', ''),
  type: choiceField('Type', ANSWER_TYPES, 'string', {
    optionLabels: {
      stringArray: 'List of texts',
      enum: 'One of several values',
      jsonArray: 'List of objects',
    },
  }),
  enumValues: textField('Values', '', {
    description: 'Separated by commas',
    showWhen: { type: ['enum'] },
  }),
  jsonSchema: textField('JSON Schema', '', { multiline: true, showWhen: { type: ['jsonArray'] } }),
  description: textField('Description', ''),
}

/** Stores of other flows that are searched. */
export const flowStoreColumns = {
  documentStore: textField('Flow', '', { description: 'The id or slug of the flow' }),
  docStoreDescription: textField('Description', '', {
    ...value,
    description: 'What the store contains; the model decides by it when to search',
  }),
  returnSourceDocuments: flagField('Return Source Documents', false),
}

/** Vector stores that are searched with an embedder of their own. */
export const vectorStoreColumns = {
  vectorStore: textField('Vector Store', undefined, { selects: 'vectorStore' }),
  vectorStoreConfig: objectField('Vector Store Parameters'),
  embeddingModel: textField('Embedding Model', undefined, { selects: 'embedder' }),
  embeddingModelConfig: objectField('Embedding Model Parameters'),
  knowledgeName: textField('Name', ''),
  knowledgeDescription: textField('Description', '', value),
  returnSourceDocuments: flagField('Return Source Documents', false),
}
