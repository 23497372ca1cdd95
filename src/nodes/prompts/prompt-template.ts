import { defineNode } from '../../cards/define-node.ts'
import { textField } from '../../cards/field.ts'
import { promptPieces } from '../../flow/prompts/prompt-text.ts'
import { promptValuesField } from '../../flow/prompts/prompt-values.ts'

export const promptTemplate = defineNode({
  kind: 'prompt',
  name: 'promptTemplate',
  label: 'Prompt Template',
  version: 1,
  category: 'Prompts',
  type: 'PromptTemplate',
  baseClasses: ['PromptTemplate', 'BaseStringPromptTemplate', 'BasePromptTemplate', 'Runnable'],
  description: 'The text that a chain sends to its model, with {names} for values',
  fields: {
    template: textField('Template', '{question}', {
      main: true,
      multiline: true,
      description: 'A {name} is replaced by its value. A brace that is to stay is written twice',
    }),
    promptValues: promptValuesField(),
  },
  anchors: {},
  build: ({ values: { template, promptValues } }, { nodeId }) => ({
    nodeId,
    messages: [{ role: 'user', pieces: promptPieces(template) }],
    values: promptValues,
  }),
})
