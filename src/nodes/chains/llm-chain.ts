import { anchor, anchors } from '../../cards/anchors.ts'
import { defineNode } from '../../cards/define-node.ts'
import { textField } from '../../cards/field.ts'
import { questionValue } from '../../flow/prompts/prompt-values.ts'

export const llmChain = defineNode({
  kind: 'answerer',
  name: 'llmChain',
  label: 'LLM Chain',
  version: 3,
  category: 'Chains',
  type: 'LLMChain',
  baseClasses: ['LLMChain', 'BaseChain', 'Runnable'],
  description:
    'Sends a prompt to a chat model. Its answer is that of the flow, or {{ID.data.instance}} in the prompt of another chain',
  fields: {
    chainName: textField('Chain Name', '', {
      main: true,
      description: 'Its name in the record of a run',
    }),
  },
  anchors: {
    model: anchor('chatModel', 'Language Model', 'BaseChatModel'),
    prompt: anchor('prompt', 'Prompt', 'BasePromptTemplate'),
    outputParser: anchor('answerForm', 'Output Parser', 'BaseLLMOutputParser', { optional: true }),
    inputModeration: anchors('moderation', 'Input Moderation', 'Moderation'),
  },
  checkParts: ({ prompt }) => void (prompt && questionValue(prompt, 'prompt')),
  build: ({ values: { chainName }, parts: { model, prompt, outputParser, inputModeration } }) => ({
    type: 'promptChain',
    model: model!,
    moderations: inputModeration,
    prompt: prompt!,
    ...(chainName === '' ? {} : { name: chainName }),
    ...(outputParser ? { form: outputParser } : {}),
  }),
})
