import { textField } from '../../cards/field.ts'
import { defineStep } from './step-card.ts'

export const directReplyAgentflow = defineStep({
  name: 'directReplyAgentflow',
  label: 'Direct Reply',
  version: 1,
  icon: 'reply',
  description: 'Replies with a text',
  fields: { directReplyMessage: textField('Message', '', { main: true, multiline: true }) },
  outputs: [],
  build: ({ directReplyMessage }) => ({ type: 'directReply', message: directReplyMessage }),
})
