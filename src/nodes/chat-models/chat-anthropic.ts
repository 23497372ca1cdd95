import { ANTHROPIC_BASE_URL, anthropicChatModel } from '../../chat/anthropic.ts'
import type { Sampling } from '../../chat/provider-model.ts'
import type { BuildContext } from '../../contract/card.ts'
import { defineNode } from '../../cards/define-node.ts'
import { credentialField, flagField, numberField, secretField, textField } from '../../cards/field.ts'
import { anthropicModels, modelNames } from '../model-lists.ts'
import { requiredKeyReader, serverKeyFor } from '../provider-key.ts'
import {
  baseUrlField,
  chatModelCard,
  effortField,
  imageUploadsField,
  maxTokensField,
  omitUndefined,
  streamingField,
  temperatureField,
  timeoutField,
  topKField,
  topPField,
} from './chat-model-fields.ts'
import { mayCall } from '../may-call.ts'

const additional = { additional: true }

export const chatAnthropic = defineNode({
  ...chatModelCard,
  name: 'chatAnthropic',
  label: 'ChatAnthropic',
  version: 8,
  type: 'ChatAnthropic',
  baseClasses: ['ChatAnthropic', 'ChatAnthropicMessages', 'BaseChatModel', 'BaseLanguageModel', 'Runnable'],
  description: 'Claude models of Anthropic',
  fields: {
    credential: credentialField('Connect Credential', ['anthropicApi']),
    anthropicApiKey: secretField('Anthropic API Key'),
    modelName: textField('Model Name', 'claude-haiku-4-5', modelNames),
    temperature: temperatureField(),
    streaming: streamingField(),
    allowImageUploads: imageUploadsField(),
    extendedThinking: flagField('Extended Thinking', false, additional),
    budgetTokens: numberField(
      'Budget Tokens',
      1024,
      { whole: true, min: 1024, max: 1_000_000 },
      { ...additional, unit: 'tokens' },
    ),
    adaptiveThinking: flagField('Adaptive Thinking', false, additional),
    thinkingEffort: effortField(['low', 'medium', 'high', 'max']),
    maxTokensToSample: maxTokensField(),
    topP: topPField(),
    topK: topKField(),
    timeout: timeoutField(),
    baseUrl: baseUrlField('Base URL'),
  },
  lists: { listModels: (values, context) => anthropicModels(addressOf(values, context), context) },
  build({ values }, context) {
    const { baseURL, sources } = addressOf(values, context)
    mayCall(context, baseURL, 'baseUrl')
    return anthropicChatModel({
      egress: context.egress,
      model: values.modelName,
      baseURL,
      apiKey: requiredKeyReader(sources, 'ANTHROPIC_API_KEY', context),
      timeoutMs: values.timeout,
      streaming: values.streaming,
      images: values.allowImageUploads,
      sampling: {
        ...omitUndefined({
          temperature: values.temperature,
          maxOutputTokens: values.maxTokensToSample,
          topP: values.topP,
          topK: values.topK,
        }),
        ...thinking(values),
      },
    })
  },
})

type Address = {
  anthropicApiKey: string | undefined
  credential: string | undefined
  baseUrl: string | undefined
}

function addressOf(
  { anthropicApiKey, credential, baseUrl }: Address,
  { settings }: Pick<BuildContext, 'settings'>,
) {
  const baseURL = baseUrl ?? ANTHROPIC_BASE_URL
  const serverKey = serverKeyFor(settings.ANTHROPIC_API_KEY, { baseURL, intendedBaseURL: ANTHROPIC_BASE_URL })
  const sources = { nodeKey: anthropicApiKey, credential, field: 'anthropicApiKey', serverKey }
  return { provider: 'Anthropic', baseURL, sources }
}

type Thinking = {
  extendedThinking: boolean
  budgetTokens: number
  adaptiveThinking: boolean
  thinkingEffort: string | undefined
}

function thinking({
  extendedThinking,
  budgetTokens,
  adaptiveThinking,
  thinkingEffort,
}: Thinking): Pick<Sampling, 'providerOptions'> {
  if (adaptiveThinking)
    return {
      providerOptions: {
        anthropic: {
          thinking: { type: 'adaptive', display: 'summarized' },
          ...omitUndefined({ effort: thinkingEffort }),
        },
      },
    }
  return extendedThinking
    ? { providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens } } } }
    : {}
}
