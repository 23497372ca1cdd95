import { openAIChatModel } from '../../chat/openai.ts'
import { defineNode } from '../../cards/define-node.ts'
import {
  choiceField,
  credentialField,
  flagField,
  objectField,
  secretField,
  textField,
  textListField,
} from '../../cards/field.ts'
import { modelNames, openAIModels } from '../model-lists.ts'
import { openAIAddress } from '../openai-address.ts'
import { requiredKeyReader } from '../provider-key.ts'
import {
  baseUrlField,
  chatModelCard,
  effortField,
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
    credential: credentialField('Connect Credential', ['openAIApi']),
    openAIApiKey: secretField('OpenAI API Key'),
    modelName: textField('Model Name', 'gpt-4o-mini', modelNames),
    temperature: temperatureField(),
    streaming: streamingField(),
    allowImageUploads: imageUploadsField(),
    reasoning: flagField('Reasoning', false, additional),
    reasoningEffort: effortField(['low', 'medium', 'high', 'xhigh']),
    reasoningSummary: choiceField(
      'Reasoning Summary',
      ['auto', 'concise', 'detailed'],
      undefined,
      additional,
    ),
    maxTokens: maxTokensField(),
    topP: topPField(),
    frequencyPenalty: penaltyField('Frequency Penalty'),
    presencePenalty: penaltyField('Presence Penalty'),
    timeout: timeoutField(),
    strictToolCalling: flagField('Strict Tool Calling', false, additional),
    stopSequence: textListField('Stop Sequence', {
      ...additional,
      description: 'One or more, separated by commas',
    }),
    basepath: baseUrlField('BasePath'),
    baseOptions: objectField('BaseOptions', {
      ...additional,
      guard: 'credential',
      description: 'Headers that are sent with every call',
    }),
    useResponsesApi: flagField('Use Responses API', false, {
      ...additional,
      description: 'The newer API of OpenAI. It returns summaries of the reasoning',
    }),
  },
  lists: { listModels: (values, context) => openAIModels(openAIAddress(values, context), context) },
  build({ values }, context) {
    const { baseURL, sources, headers } = openAIAddress(values, context)
    const { reasoning, reasoningEffort, reasoningSummary } = values
    mayCall(context, baseURL, 'basepath')
    return openAIChatModel({
      egress: context.egress,
      model: values.modelName,
      baseURL,
      apiKey: requiredKeyReader(sources, 'OPENAI_API_KEY', context),
      headers,
      responses: values.useResponsesApi,
      timeoutMs: values.timeout,
      streaming: values.streaming,
      images: values.allowImageUploads,
      strictTools: values.strictToolCalling || undefined,
      sampling: {
        ...omitUndefined({
          temperature: values.temperature,
          maxOutputTokens: values.maxTokens,
          topP: values.topP,
          frequencyPenalty: values.frequencyPenalty,
          presencePenalty: values.presencePenalty,
          stopSequences: values.stopSequence,
        }),
        ...(reasoning
          ? { providerOptions: { openai: omitUndefined({ reasoningEffort, reasoningSummary }) } }
          : {}),
      },
    })
  },
})
