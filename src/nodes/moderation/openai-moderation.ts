import { defineNode } from '../../cards/define-node.ts'
import { credentialField } from '../../cards/field.ts'
import { openAIModeration } from '../../chat/moderation.ts'
import { mayCall } from '../may-call.ts'
import { requiredKeyReader, serverKeyFor } from '../provider-key.ts'
import { moderationCard, refusalField } from './moderation-card.ts'

export const inputModerationOpenAI = defineNode({
  ...moderationCard,
  name: 'inputModerationOpenAI',
  label: 'OpenAI Moderation',
  version: 1,
  description: 'Refuses questions that the moderation of OpenAI flags',
  fields: {
    credential: credentialField('Connect Credential', ['openAIApi']),
    moderationErrorMessage: refusalField(
      "Cannot Process! Input violates OpenAI's content moderation policies.",
    ),
  },
  anchors: {},
  build({ values: { credential, moderationErrorMessage: message } }, context) {
    const { OPENAI_API_KEY, OPENAI_BASE_URL: baseURL } = context.settings
    const serverKey = serverKeyFor(OPENAI_API_KEY, { baseURL, intendedBaseURL: baseURL })
    mayCall(context, baseURL, 'credential')
    return openAIModeration({
      egress: context.egress,
      baseURL,
      apiKey: requiredKeyReader(
        { nodeKey: undefined, credential, field: 'openAIApiKey', serverKey },
        'OPENAI_API_KEY',
        context,
      ),
      message,
    })
  },
})
