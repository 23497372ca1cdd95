import { defineNode } from '../../cards/define-node.ts'
import { textField } from '../../cards/field.ts'
import { promptPieces } from '../../flow/prompts/prompt-text.ts'

export const promptRetriever = defineNode({
  kind: 'namedPrompt',
  name: 'promptRetriever',
  label: 'Prompt Retriever',
  version: 1,
  category: 'Retrievers',
  type: 'PromptRetriever',
  baseClasses: ['PromptRetriever'],
  description: 'One of the prompts among which a Multi Prompt Chain chooses',
  fields: {
    name: textField('Prompt Name', '', { main: true, required: true }),
    description: textField('Prompt Description', '', {
      main: true,
      multiline: true,
      description: 'Which questions it is good for',
    }),
    systemMessage: textField('Prompt System Message', '', { multiline: true }),
  },
  anchors: {},
  build: ({ values: { name, description, systemMessage } }, { nodeId }) => ({
    name,
    description,
    prompt: { nodeId, messages: [{ role: 'system', pieces: promptPieces(systemMessage) }], values: {} },
  }),
})
