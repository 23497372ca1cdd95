import { openAIChatModel } from '../../chat/openai.ts'
import { defineNode } from '../../contract/card.ts'
import { choice, credential, flag, object, secret, text, texts } from '../../contract/field.ts'
import { headersIn } from '../headers-in.ts'
import { requiredKey, serverKey } from '../provider-key.ts'
import {
  address,
  chatModelCard,
  effort,
  given,
  imageUploads,
  maxTokens,
  penalty,
  streaming,
  temperature,
  timeout,
  topP,
} from './declare.ts'

const additional = { additional: true }

export const chatOpenAI = defineNode({
  ...chatModelCard,
  name: 'chatOpenAI',
  label: 'ChatOpenAI',
  version: 8.3,
  type: 'ChatOpenAI',
  baseClasses: ['ChatOpenAI', 'BaseChatModel', 'BaseLanguageModel', 'Runnable'],
  description: 'Chat models of OpenAI',
  fields: {
    credential: credential('Connect Credential', ['openAIApi']),
    openAIApiKey: secret('OpenAI API Key'),
    modelName: text('Model Name', 'gpt-4o-mini'),
    temperature: temperature(),
    streaming: streaming(),
    allowImageUploads: imageUploads(),
    reasoning: flag('Reasoning', false, additional),
    reasoningEffort: effort(['low', 'medium', 'high', 'xhigh']),
    reasoningSummary: choice('Reasoning Summary', ['auto', 'concise', 'detailed'], undefined, additional),
    maxTokens: maxTokens(),
    topP: topP(),
    frequencyPenalty: penalty('Frequency Penalty'),
    presencePenalty: penalty('Presence Penalty'),
    timeout: timeout(),
    strictToolCalling: flag('Strict Tool Calling', false, additional),
    stopSequence: texts('Stop Sequence', { ...additional, description: 'One or more, between commas' }),
    basepath: address('BasePath'),
    baseOptions: object('BaseOptions', {
      ...additional,
      guard: 'credential',
      description: 'Headers that every call gets',
    }),
    useResponsesApi: flag('Use Responses API', false, {
      ...additional,
      description: 'The newer of OpenAI’s protocols; it tells what a reasoning model thinks',
    }),
  },
  build({ values }, context) {
    const { OPENAI_API_KEY, OPENAI_BASE_URL } = context.settings
    const baseURL = values.basepath ?? OPENAI_BASE_URL
    const sources = {
      given: values.openAIApiKey,
      credential: values.credential,
      field: 'openAIApiKey',
      fallback: serverKey(OPENAI_API_KEY, { baseURL, meant: OPENAI_BASE_URL }),
    }
    const { reasoning, reasoningEffort, reasoningSummary } = values
    return openAIChatModel({
      egress: context.egress,
      model: values.modelName,
      baseURL,
      apiKey: () => requiredKey(sources, 'OPENAI_API_KEY', context),
      headers: headersIn(values.baseOptions),
      responses: values.useResponsesApi,
      timeoutMs: values.timeout,
      streaming: values.streaming,
      images: values.allowImageUploads,
      strictTools: values.strictToolCalling || undefined,
      sampling: {
        ...given({
          temperature: values.temperature,
          maxOutputTokens: values.maxTokens,
          topP: values.topP,
          frequencyPenalty: values.frequencyPenalty,
          presencePenalty: values.presencePenalty,
          stopSequences: values.stopSequence,
        }),
        ...(reasoning ? { providerOptions: { openai: given({ reasoningEffort, reasoningSummary }) } } : {}),
      },
    })
  },
})
