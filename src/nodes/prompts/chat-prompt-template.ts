import type { TemplateMessage } from '../../contract/prompt.ts'
import { defineNode } from '../../cards/define-node.ts'
import { textField } from '../../cards/field.ts'
import { InputError } from '../../cards/input-error.ts'
import { messagesOfCode } from '../../flow/prompts/message-code.ts'
import { promptPieces } from '../../flow/prompts/prompt-text.ts'
import { promptValuesField } from '../../flow/prompts/prompt-values.ts'
import { reasonOf } from '../../kit/errors.ts'

export const chatPromptTemplate = defineNode({
  kind: 'prompt',
  name: 'chatPromptTemplate',
  label: 'Chat Prompt Template',
  version: 2,
  category: 'Prompts',
  type: 'ChatPromptTemplate',
  baseClasses: ['ChatPromptTemplate', 'BaseChatPromptTemplate', 'BasePromptTemplate', 'Runnable'],
  description: 'The messages that a chain sends to its model, with {names} for values',
  fields: {
    systemMessagePrompt: textField('System Message', '', { main: true, multiline: true }),
    humanMessagePrompt: textField('Human Message', '{question}', {
      multiline: true,
      description: 'The last message',
    }),
    promptValues: promptValuesField(),
    messageHistoryCode: textField('Messages in Between', '', {
      additional: true,
      multiline: true,
      description:
        'Messages between the two: return [new HumanMessage("2 + 2?"), new AIMessage("4")]. The code is read, not run: their texts must be written out',
    }),
    messageHistory: textField('Messages', '', { additional: true, hidden: true }),
  },
  anchors: {},
  build({ values }, { nodeId }) {
    const system = promptPieces(values.systemMessagePrompt)
    return {
      nodeId,
      messages: [
        ...(system.length > 0 ? [{ role: 'system' as const, pieces: system }] : []),
        ...between(values.messageHistoryCode),
        { role: 'user', pieces: promptPieces(values.humanMessagePrompt) },
      ],
      values: values.promptValues,
    }
  },
})

function between(code: string): TemplateMessage[] {
  if (code.trim() === '') return []
  try {
    return messagesOfCode(code)
  } catch (error) {
    throw new InputError('messageHistoryCode', reasonOf(error), {
      instead: 'Write the messages out: new HumanMessage("…"), new AIMessage("…")',
    })
  }
}
