import { compatibleChatModel } from '../../chat/openai-compatible.ts'
import { defineNode } from '../../cards/define-node.ts'
import { credentialField, objectField, secretField, textField } from '../../cards/field.ts'
import { modelNames, openAIModels } from '../model-lists.ts'
import { openAIAddress } from '../openai-address.ts'
import { keyReader } from '../provider-key.ts'
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
import { mayCall } from '../may-call.ts'
import { InputError } from '../../cards/input-error.ts'

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
    modelName: textField('Model Name', undefined, modelNames),
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
  lists: { listModels: (values, context) => openAIModels(openAIAddress(values, context), context) },
  build({ values }, context) {
    if (values.modelName === undefined) throw new InputError('modelName', 'a model name is needed')
    const { baseURL, sources, headers } = openAIAddress(values, context)
    mayCall(context, baseURL, 'basepath')
    return compatibleChatModel({
      egress: context.egress,
      model: values.modelName,
      baseURL,
      apiKey: keyReader(sources, context),
      headers,
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
