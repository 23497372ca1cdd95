import { ollamaChatModel } from '../../chat/ollama.ts'
import type { BuildContext } from '../../contract/card.ts'
import { defineNode } from '../../cards/define-node.ts'
import {
  credentialField,
  flagField,
  numberField,
  secretField,
  textField,
  textListField,
} from '../../cards/field.ts'
import { modelNames, ollamaModels } from '../model-lists.ts'
import { keyReader } from '../provider-key.ts'
import {
  chatModelCard,
  imageUploadsField,
  omitUndefined,
  streamingField,
  temperatureField,
  topKField,
  topPField,
} from './chat-model-fields.ts'
import { mayCall } from '../may-call.ts'
import { InputError } from '../../cards/input-error.ts'

const additional = { additional: true }
const real = (label: string) => numberField(label, undefined, {}, additional)
const count = (label: string, unit?: string) =>
  numberField(
    label,
    undefined,
    { whole: true, min: -1, max: 10_000_000 },
    { ...additional, ...(unit === undefined ? {} : { unit }) },
  )

export const chatOllama = defineNode({
  ...chatModelCard,
  name: 'chatOllama',
  label: 'ChatOllama',
  version: 5,
  type: 'ChatOllama',
  baseClasses: ['ChatOllama', 'SimpleChatModel', 'BaseChatModel', 'BaseLanguageModel', 'Runnable'],
  description: 'Chat models in Ollama',
  fields: {
    credential: credentialField('Connect Credential', ['ollamaApi']),
    ollamaApiKey: secretField('API Key'),
    baseUrl: textField('Base URL', undefined, { guard: 'url' }),
    modelName: textField('Model Name', undefined, modelNames),
    temperature: temperatureField(),
    streaming: streamingField(),
    allowImageUploads: imageUploadsField(),
    think: flagField('Think', false, additional),
    jsonMode: flagField('JSON Mode', false, additional),
    keepAlive: textField('Keep Alive', '5m', additional),
    topP: topPField(),
    topK: topKField(),
    mirostat: count('Mirostat'),
    mirostatEta: real('Mirostat ETA'),
    mirostatTau: real('Mirostat TAU'),
    numCtx: count('Context Window Size', 'tokens'),
    numGpu: count('Number of GPU'),
    numThread: count('Number of Thread'),
    repeatLastN: count('Repeat Last N', 'tokens'),
    repeatPenalty: real('Repeat Penalty'),
    stop: textListField('Stop Sequence', additional),
    tfsZ: real('Tail Free Sampling'),
  },
  lists: { listModels: (values, context) => ollamaModels(addressOf(values, context), context) },
  build({ values }, context) {
    if (values.modelName === undefined) throw new InputError('modelName', 'a model name is needed')
    const { baseURL, sources } = addressOf(values, context)
    mayCall(context, baseURL, 'baseUrl')
    return ollamaChatModel({
      egress: context.egress,
      model: values.modelName,
      baseURL,
      apiKey: keyReader(sources, context),
      streaming: values.streaming,
      images: values.allowImageUploads,
      think: values.think || undefined,
      json: values.jsonMode,
      keepAlive: values.keepAlive,
      options: omitUndefined({
        temperature: values.temperature,
        top_p: values.topP,
        top_k: values.topK,
        mirostat: values.mirostat,
        mirostat_eta: values.mirostatEta,
        mirostat_tau: values.mirostatTau,
        num_ctx: values.numCtx,
        num_gpu: values.numGpu,
        num_thread: values.numThread,
        repeat_last_n: values.repeatLastN,
        repeat_penalty: values.repeatPenalty,
        stop: values.stop,
        tfs_z: values.tfsZ,
      }),
    })
  },
})

type Address = {
  ollamaApiKey: string | undefined
  credential: string | undefined
  baseUrl: string | undefined
}

const addressOf = (
  { ollamaApiKey, credential, baseUrl }: Address,
  { settings }: Pick<BuildContext, 'settings'>,
) => ({
  provider: 'Ollama',
  baseURL: baseUrl ?? settings.OLLAMA_BASE_URL,
  sources: { nodeKey: ollamaApiKey, credential, field: 'ollamaApiKey' },
})
