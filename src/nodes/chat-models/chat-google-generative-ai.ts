import { googleChatModel } from '../../chat/google.ts'
import { defineNode } from '../../contract/card.ts'
import { credential, number, secret, text } from '../../contract/field.ts'
import { GOOGLE_BASE_URL } from '../../embed/google.ts'
import { requiredKey, serverKey } from '../provider-key.ts'
import {
  address,
  chatModelCard,
  given,
  imageUploads,
  maxTokens,
  streaming,
  temperature,
  timeout,
  topK,
  topP,
} from './declare.ts'

export const chatGoogleGenerativeAI = defineNode({
  ...chatModelCard,
  name: 'chatGoogleGenerativeAI',
  label: 'ChatGoogleGenerativeAI',
  version: 3,
  type: 'ChatGoogleGenerativeAI',
  baseClasses: ['ChatGoogleGenerativeAI', 'BaseChatModel', 'BaseLanguageModel', 'Runnable'],
  description: 'Gemini, by Google',
  fields: {
    credential: credential('Connect Credential', ['googleGenerativeAI']),
    googleGenerativeAPIKey: secret('Google AI API Key'),
    modelName: text('Model Name', 'gemini-2.5-flash'),
    customModelName: text('Custom Model Name', undefined, { additional: true }),
    temperature: temperature(),
    streaming: streaming(),
    allowImageUploads: imageUploads(),
    maxOutputTokens: maxTokens('Max Output Tokens'),
    thinkingBudget: number(
      'Thinking Budget',
      undefined,
      { whole: true, min: -1, max: 1_000_000 },
      { additional: true, description: 'How many tokens the model may think for: 0 none, -1 as it sees fit' },
    ),
    topP: topP(),
    topK: topK(),
    timeout: timeout(),
    baseUrl: address('Base URL'),
  },
  build({ values }, context) {
    const baseURL = values.baseUrl ?? GOOGLE_BASE_URL
    const sources = {
      given: values.googleGenerativeAPIKey,
      credential: values.credential,
      field: 'googleGenerativeAPIKey',
      fallback: serverKey(context.settings.GOOGLE_GENERATIVE_AI_API_KEY, { baseURL, meant: GOOGLE_BASE_URL }),
    }
    const { thinkingBudget } = values
    const thinkingConfig = { thinkingBudget, includeThoughts: true }
    return googleChatModel({
      egress: context.egress,
      model: values.customModelName ?? values.modelName,
      baseURL,
      apiKey: () => requiredKey(sources, 'GOOGLE_GENERATIVE_AI_API_KEY', context),
      timeoutMs: values.timeout,
      streaming: values.streaming,
      images: values.allowImageUploads,
      sampling: {
        ...given({
          temperature: values.temperature,
          maxOutputTokens: values.maxOutputTokens,
          topP: values.topP,
          topK: values.topK,
        }),
        ...(thinkingBudget === undefined ? {} : { providerOptions: { google: { thinkingConfig } } }),
      },
    })
  },
})
