import { anchor } from '../../cards/anchors.ts'
import { defineNode } from '../../cards/define-node.ts'
import { textField } from '../../cards/field.ts'
import { InputError } from '../../cards/input-error.ts'
import { denyListModeration } from '../../chat/moderation.ts'
import { moderationCard, refusalField } from './moderation-card.ts'

export const inputModerationSimple = defineNode({
  ...moderationCard,
  name: 'inputModerationSimple',
  label: 'Simple Prompt Moderation',
  version: 2,
  description: 'Refuses questions that contain one of the listed texts',
  fields: {
    denyList: textField('Deny List', '', {
      main: true,
      multiline: true,
      description: 'A text on each line. Case does not matter',
    }),
    moderationErrorMessage: refusalField('Cannot Process! Input violates content moderation policies.'),
  },
  anchors: { model: anchor('chatModel', 'Chat Model', 'BaseChatModel', { optional: true }) },
  build({ values: { denyList, moderationErrorMessage: message }, parts: { model } }) {
    const denied = denyList
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
    if (denied.length === 0) throw new InputError('denyList', 'it lists no text')
    return denyListModeration({ denied, message, ...(model ? { model } : {}) })
  },
})
