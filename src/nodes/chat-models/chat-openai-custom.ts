import { compatibleChatModel } from '../../chat/openai-compatible.ts'
import { defineNode } from '../../contract/card.ts'
import { credentialField, objectField, secretField, textField } from '../../contract/field.ts'
import { headersFromOptions } from '../headers-from-options.ts'
import { providerKey, serverKeyFor } from '../provider-key.ts'
import {
  baseUrlField,
  chatModelCard,
  imageUploadsField,
  maxTokensField,
  omitUndefined,
  penaltyField,
  streamingField,
  temperatureField,
  timeoutField,
  topPField,
} from './chat-model-fields.ts'

export const chatOpenAICustom = defineNode({
  ...chatModelCard,
  name: 'chatOpenAICustom',
  label: 'ChatOpenAI Custom',
  version: 4,
  type: 'ChatOpenAI-Custom',
  baseClasses: ['ChatOpenAI-Custom', 'BaseChatModel', 'BaseLanguageModel', 'Runnable'],
  description: 'Any chat model behind OpenAI’s protocol: llama.cpp, vLLM, LM Studio',
  fields: {
    credential: credentialField('Connect Credential', ['openAIApi']),
    openAIApiKey: secretField('API Key'),
    modelName: textField('Model Name', undefined),
    temperature: temperatureField(),
    streaming: streamingField(),
    allowImageUploads: imageUploadsField(),
    maxTokens: maxTokensField(),
    topP: topPField(),
    frequencyPenalty: penaltyField('Frequency Penalty'),
    presencePenalty: penaltyField('Presence Penalty'),
    timeout: timeoutField(),
    basepath: baseUrlField('BasePath'),
    baseOptions: objectField('BaseOptions', {
      additional: true,
      guard: 'credential',
      description: 'Headers that are sent with every call',
    }),
  },
  build({ values }, context) {
    const { OPENAI_API_KEY, OPENAI_BASE_URL } = context.settings
    if (values.modelName === undefined) throw new Error('a model name is needed')
    const baseURL = values.basepath ?? OPENAI_BASE_URL
    const sources = {
      nodeKey: values.openAIApiKey,
      credential: values.credential,
      field: 'openAIApiKey',
      serverKey: serverKeyFor(OPENAI_API_KEY, { baseURL, intendedBaseURL: OPENAI_BASE_URL }),
    }
    return compatibleChatModel({
      egress: context.egress,
      model: values.modelName,
      baseURL,
      apiKey: () => providerKey(sources, context),
      headers: headersFromOptions(values.baseOptions),
      timeoutMs: values.timeout,
      streaming: values.streaming,
      images: values.allowImageUploads,
      sampling: omitUndefined({
        temperature: values.temperature,
        maxOutputTokens: values.maxTokens,
        topP: values.topP,
        frequencyPenalty: values.frequencyPenalty,
        presencePenalty: values.presencePenalty,
      }),
    })
  },
})
