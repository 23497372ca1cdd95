import { ANTHROPIC_BASE_URL, anthropicChatModel } from '../../chat/anthropic.ts'
import type { Sampling } from '../../chat/provider-model.ts'
import { defineNode } from '../../contract/card.ts'
import { credential, flag, number, secret, text } from '../../contract/field.ts'
import { requiredKey, serverKey } from '../provider-key.ts'
import {
  address,
  chatModelCard,
  effort,
  given,
  imageUploads,
  maxTokens,
  streaming,
  temperature,
  timeout,
  topK,
  topP,
} from './declare.ts'

const additional = { additional: true }

export const chatAnthropic = defineNode({
  ...chatModelCard,
  name: 'chatAnthropic',
  label: 'ChatAnthropic',
  version: 8,
  type: 'ChatAnthropic',
  baseClasses: ['ChatAnthropic', 'ChatAnthropicMessages', 'BaseChatModel', 'BaseLanguageModel', 'Runnable'],
  description: 'Claude, by Anthropic',
  fields: {
    credential: credential('Connect Credential', ['anthropicApi']),
    anthropicApiKey: secret('Anthropic API Key'),
    modelName: text('Model Name', 'claude-haiku-4-5'),
    temperature: temperature(),
    streaming: streaming(),
    allowImageUploads: imageUploads(),
    extendedThinking: flag('Extended Thinking', false, additional),
    budgetTokens: number('Budget Tokens', 1024, { whole: true, min: 1024, max: 1_000_000 }, additional),
    adaptiveThinking: flag('Adaptive Thinking', false, additional),
    thinkingEffort: effort(['low', 'medium', 'high', 'max']),
    maxTokensToSample: maxTokens(),
    topP: topP(),
    topK: topK(),
    timeout: timeout(),
    baseUrl: address('Base URL'),
  },
  build({ values }, context) {
    const baseURL = values.baseUrl ?? ANTHROPIC_BASE_URL
    const sources = {
      given: values.anthropicApiKey,
      credential: values.credential,
      field: 'anthropicApiKey',
      fallback: serverKey(context.settings.ANTHROPIC_API_KEY, { baseURL, meant: ANTHROPIC_BASE_URL }),
    }
    return anthropicChatModel({
      egress: context.egress,
      model: values.modelName,
      baseURL,
      apiKey: () => requiredKey(sources, 'ANTHROPIC_API_KEY', context),
      timeoutMs: values.timeout,
      streaming: values.streaming,
      images: values.allowImageUploads,
      sampling: {
        ...given({
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
          ...given({ effort: thinkingEffort }),
        },
      },
    }
  return extendedThinking
    ? { providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens } } } }
    : {}
}
