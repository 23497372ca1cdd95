import { defineNode } from '../../contract/card.ts'
import { numberField, textField } from '../../contract/field.ts'

const fields = () => ({
  sessionId: textField('Session Id', undefined, {
    additional: true,
    description: 'Which conversation is remembered; without it the one that the request belongs to',
  }),
  memoryKey: textField('Memory Key', 'chat_history', { additional: true }),
})

const card = { kind: 'memory', version: 2, category: 'Memory', anchors: {} } as const

export const bufferMemory = defineNode({
  ...card,
  name: 'bufferMemory',
  label: 'Buffer Memory',
  type: 'BufferMemory',
  baseClasses: ['BufferMemory', 'BaseChatMemory', 'BaseMemory'],
  description: 'Remembers the whole conversation',
  fields: fields(),
  build: ({ values: { sessionId } }) => ({
    label: 'Buffer Memory',
    ...(sessionId === undefined ? {} : { sessionId }),
  }),
})

export const bufferWindowMemory = defineNode({
  ...card,
  name: 'bufferWindowMemory',
  label: 'Buffer Window Memory',
  type: 'BufferWindowMemory',
  baseClasses: ['BufferWindowMemory', 'BaseChatMemory', 'BaseMemory'],
  description: 'Remembers the last exchanges of the conversation',
  fields: {
    k: numberField(
      'Size',
      4,
      { whole: true, min: 1, max: 10_000 },
      {
        description: 'How many exchanges, a question and its answer each',
      },
    ),
    ...fields(),
  },
  build: ({ values: { k, sessionId } }) => ({
    label: 'Buffer Window Memory',
    last: 2 * k,
    ...(sessionId === undefined ? {} : { sessionId }),
  }),
})
