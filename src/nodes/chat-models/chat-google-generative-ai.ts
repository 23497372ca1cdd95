import { googleChatModel } from '../../chat/google.ts'
import { defineNode } from '../../cards/define-node.ts'
import { credentialField, numberField, secretField, textField } from '../../cards/field.ts'
import { googleAddress } from '../google-address.ts'
import { googleModels, modelNames } from '../model-lists.ts'
import { requiredKeyReader } from '../provider-key.ts'
import {
  baseUrlField,
  chatModelCard,
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

export const chatGoogleGenerativeAI = defineNode({
  ...chatModelCard,
  name: 'chatGoogleGenerativeAI',
  label: 'ChatGoogleGenerativeAI',
  version: 3,
  type: 'ChatGoogleGenerativeAI',
  baseClasses: ['ChatGoogleGenerativeAI', 'BaseChatModel', 'BaseLanguageModel', 'Runnable'],
  description: 'Gemini models of Google',
  fields: {
    credential: credentialField('Connect Credential', ['googleGenerativeAI']),
    googleGenerativeAPIKey: secretField('Google AI API Key'),
    modelName: textField('Model Name', 'gemini-2.5-flash', modelNames),
    customModelName: textField('Custom Model Name', undefined, { additional: true }),
    temperature: temperatureField(),
    streaming: streamingField(),
    allowImageUploads: imageUploadsField(),
    maxOutputTokens: maxTokensField('Max Output Tokens'),
    thinkingBudget: numberField(
      'Thinking Budget',
      undefined,
      { whole: true, min: -1, max: 1_000_000 },
      {
        additional: true,
        unit: 'tokens',
        description: 'The maximum number of thinking tokens. 0: no thinking, -1: the model decides',
      },
    ),
    topP: topPField(),
    topK: topKField(),
    timeout: timeoutField(),
    baseUrl: baseUrlField('Base URL'),
  },
  lists: {
    listModels: (values, context) => googleModels(googleAddress(values, context), context, 'generateContent'),
  },
  build({ values }, context) {
    const { baseURL, sources } = googleAddress(values, context)
    const { thinkingBudget } = values
    const thinkingConfig = { thinkingBudget, includeThoughts: true }
    mayCall(context, baseURL, 'baseUrl')
    return googleChatModel({
      egress: context.egress,
      model: values.customModelName ?? values.modelName,
      baseURL,
      apiKey: requiredKeyReader(sources, 'GOOGLE_GENERATIVE_AI_API_KEY', context),
      timeoutMs: values.timeout,
      streaming: values.streaming,
      images: values.allowImageUploads,
      sampling: {
        ...omitUndefined({
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
