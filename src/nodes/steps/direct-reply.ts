import { text } from '../../contract/field.ts'
import { defineStep } from './declare.ts'

export const directReplyAgentflow = defineStep({
  name: 'directReplyAgentflow',
  label: 'Direct Reply',
  version: 1,
  description: 'Replies with a text',
  fields: { directReplyMessage: text('Message', '') },
  build: ({ directReplyMessage }) => ({ type: 'reply', message: directReplyMessage }),
})
