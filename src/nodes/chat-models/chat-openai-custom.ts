import { compatibleChatModel } from '../../chat/openai-compatible.ts'
import { defineNode } from '../../contract/card.ts'
import { credential, object, secret, text } from '../../contract/field.ts'
import { headersIn } from '../headers-in.ts'
import { providerKey, serverKey } from '../provider-key.ts'
import {
  address,
  chatModelCard,
  given,
  imageUploads,
  maxTokens,
  penalty,
  streaming,
  temperature,
  timeout,
  topP,
} from './declare.ts'

export const chatOpenAICustom = defineNode({
  ...chatModelCard,
  name: 'chatOpenAICustom',
  label: 'ChatOpenAI Custom',
  version: 4,
  type: 'ChatOpenAI-Custom',
  baseClasses: ['ChatOpenAI-Custom', 'BaseChatModel', 'BaseLanguageModel', 'Runnable'],
  description: 'Any model behind OpenAI’s protocol: llama.cpp, vLLM, LM Studio',
  fields: {
    credential: credential('Connect Credential', ['openAIApi']),
    openAIApiKey: secret('API Key'),
    modelName: text('Model Name', undefined),
    temperature: temperature(),
    streaming: streaming(),
    allowImageUploads: imageUploads(),
    maxTokens: maxTokens(),
    topP: topP(),
    frequencyPenalty: penalty('Frequency Penalty'),
    presencePenalty: penalty('Presence Penalty'),
    timeout: timeout(),
    basepath: address('BasePath'),
    baseOptions: object('BaseOptions', {
      additional: true,
      guard: 'credential',
      description: 'Headers that every call gets',
    }),
  },
  build({ values }, context) {
    const { OPENAI_API_KEY, OPENAI_BASE_URL } = context.settings
    if (values.modelName === undefined) throw new Error('a model name is needed')
    const baseURL = values.basepath ?? OPENAI_BASE_URL
    const sources = {
      given: values.openAIApiKey,
      credential: values.credential,
      field: 'openAIApiKey',
      fallback: serverKey(OPENAI_API_KEY, { baseURL, meant: OPENAI_BASE_URL }),
    }
    return compatibleChatModel({
      egress: context.egress,
      model: values.modelName,
      baseURL,
      apiKey: () => providerKey(sources, context),
      headers: headersIn(values.baseOptions),
      timeoutMs: values.timeout,
      streaming: values.streaming,
      images: values.allowImageUploads,
      sampling: given({
        temperature: values.temperature,
        maxOutputTokens: values.maxTokens,
        topP: values.topP,
        frequencyPenalty: values.frequencyPenalty,
        presencePenalty: values.presencePenalty,
      }),
    })
  },
})
