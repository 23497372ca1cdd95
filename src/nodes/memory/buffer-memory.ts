import { defineNode } from '../../cards/define-node.ts'
import { numberField, textField } from '../../cards/field.ts'

const fields = () => ({
  sessionId: textField('Session Id', undefined, {
    main: true,
    additional: true,
    description: 'The session whose messages are used. Default: the session of the request',
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
  description: 'Gives the model the whole conversation',
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
  description: 'Gives the model the last exchanges of the conversation',
  fields: {
    k: numberField(
      'Size',
      4,
      { whole: true, min: 1, max: 10_000 },
      {
        main: true,
        unit: 'exchanges',
        description: 'The number of exchanges. An exchange is a question with its answer',
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
