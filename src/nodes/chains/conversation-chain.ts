import { anchor, anchors } from '../../cards/anchors.ts'
import { defineNode } from '../../cards/define-node.ts'
import { textField } from '../../cards/field.ts'
import { questionValue } from '../../flow/prompts/prompt-values.ts'

export const conversationChain = defineNode({
  kind: 'answerer',
  name: 'conversationChain',
  label: 'Conversation Chain',
  version: 3,
  category: 'Chains',
  type: 'ConversationChain',
  baseClasses: ['ConversationChain', 'LLMChain', 'BaseChain', 'Runnable'],
  description: 'A conversation with a chat model',
  fields: {
    systemMessagePrompt: textField(
      'System Message',
      'You talk with a person. Be helpful and precise. If you do not know something, say so.',
      { main: true, additional: true },
    ),
  },
  anchors: {
    model: anchor('chatModel', 'Chat Model', 'BaseChatModel'),
    memory: anchor('memory', 'Memory', 'BaseMemory', { optional: true }),
    chatPromptTemplate: anchor('prompt', 'Chat Prompt Template', 'ChatPromptTemplate', { optional: true }),
    inputModeration: anchors('moderation', 'Input Moderation', 'Moderation'),
  },
  checkParts: ({ chatPromptTemplate }) =>
    void (chatPromptTemplate && questionValue(chatPromptTemplate, 'chatPromptTemplate')),
  build: ({ values, parts: { model, memory, chatPromptTemplate, inputModeration } }) => ({
    type: 'conversationChain',
    model: model!,
    ...(memory ? { memory } : {}),
    moderations: inputModeration,
    systemMessage: values.systemMessagePrompt,
    ...(chatPromptTemplate ? { prompt: chatPromptTemplate } : {}),
  }),
})
