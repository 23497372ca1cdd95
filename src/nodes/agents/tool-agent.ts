import { anchor, anchors } from '../../cards/anchors.ts'
import { defineNode } from '../../cards/define-node.ts'
import { flagField, numberField, textField } from '../../cards/field.ts'
import { requireToolCalls } from '../calls-tools.ts'

export const toolAgent = defineNode({
  kind: 'answerer',
  name: 'toolAgent',
  label: 'Tool Agent',
  version: 2,
  category: 'Agents',
  type: 'AgentExecutor',
  baseClasses: ['AgentExecutor', 'BaseChain', 'Runnable'],
  description: 'Lets a chat model call tools until it can answer',
  fields: {
    systemMessage: textField('System Message', 'You are a helpful AI assistant.', {
      main: true,
      additional: true,
      multiline: true,
    }),
    maxIterations: numberField(
      'Max Iterations',
      15,
      { whole: true, min: 1, max: 1000 },
      { main: true, additional: true, description: 'The maximum number of model calls for one answer' },
    ),
    asksBeforeChanges: flagField('Ask Before Changes', false, {
      additional: true,
      description: 'A person must approve every call that may change something',
      guard: 'credential',
    }),
  },
  anchors: {
    tools: anchors('tools', 'Tools', 'Tool'),
    memory: anchor('memory', 'Memory', 'BaseChatMemory', { optional: true }),
    inputModeration: anchors('moderation', 'Input Moderation', 'Moderation'),
    model: anchor('chatModel', 'Tool Calling Chat Model', 'BaseChatModel'),
  },
  build({ values, parts: { tools, memory, model, inputModeration } }) {
    if (tools.length > 0) requireToolCalls(model)
    return {
      type: 'toolAgent',
      model: model!,
      tools,
      ...(memory ? { memory } : {}),
      moderations: inputModeration,
      ...values,
    }
  },
})
