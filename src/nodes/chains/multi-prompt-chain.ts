import { anchor, anchors } from '../../cards/anchors.ts'
import { defineNode } from '../../cards/define-node.ts'
import { InputError } from '../../cards/input-error.ts'

export const multiPromptChain = defineNode({
  kind: 'answerer',
  name: 'multiPromptChain',
  label: 'Multi Prompt Chain',
  version: 2,
  category: 'Chains',
  type: 'MultiPromptChain',
  baseClasses: ['MultiPromptChain', 'MultiRouteChain', 'BaseChain', 'Runnable'],
  description: 'Lets a chat model choose the prompt that fits a question, then answer with it',
  fields: {},
  anchors: {
    model: anchor('chatModel', 'Language Model', 'BaseChatModel'),
    promptRetriever: anchors('namedPrompt', 'Prompt Retriever', 'PromptRetriever'),
    inputModeration: anchors('moderation', 'Input Moderation', 'Moderation'),
  },
  build({ parts: { model, promptRetriever, inputModeration } }) {
    if (promptRetriever.length === 0) throw new InputError('promptRetriever', 'it has no prompt')
    return { type: 'multiPromptChain', model: model!, moderations: inputModeration, prompts: promptRetriever }
  },
})
