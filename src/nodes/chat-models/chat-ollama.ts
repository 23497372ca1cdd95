import { ollamaChatModel } from '../../chat/ollama.ts'
import { defineNode } from '../../contract/card.ts'
import { credential, flag, number, secret, text, texts } from '../../contract/field.ts'
import { providerKey } from '../provider-key.ts'
import { chatModelCard, given, imageUploads, streaming, temperature, topK, topP } from './declare.ts'

const additional = { additional: true }
const real = (label: string) => number(label, undefined, {}, additional)
const count = (label: string) =>
  number(label, undefined, { whole: true, min: -1, max: 10_000_000 }, additional)

export const chatOllama = defineNode({
  ...chatModelCard,
  name: 'chatOllama',
  label: 'ChatOllama',
  version: 5,
  type: 'ChatOllama',
  baseClasses: ['ChatOllama', 'SimpleChatModel', 'BaseChatModel', 'BaseLanguageModel', 'Runnable'],
  description: 'Chat models that Ollama runs',
  fields: {
    credential: credential('Connect Credential', ['ollamaApi']),
    ollamaApiKey: secret('API Key'),
    baseUrl: text('Base URL', undefined, { guard: 'url' }),
    modelName: text('Model Name', undefined),
    temperature: temperature(),
    streaming: streaming(),
    allowImageUploads: imageUploads(),
    think: flag('Think', false, additional),
    jsonMode: flag('JSON Mode', false, additional),
    keepAlive: text('Keep Alive', '5m', additional),
    topP: topP(),
    topK: topK(),
    mirostat: count('Mirostat'),
    mirostatEta: real('Mirostat ETA'),
    mirostatTau: real('Mirostat TAU'),
    numCtx: count('Context Window Size'),
    numGpu: count('Number of GPU'),
    numThread: count('Number of Thread'),
    repeatLastN: count('Repeat Last N'),
    repeatPenalty: real('Repeat Penalty'),
    stop: texts('Stop Sequence', additional),
    tfsZ: real('Tail Free Sampling'),
  },
  build({ values }, context) {
    if (values.modelName === undefined) throw new Error('a model name is needed')
    const sources = { given: values.ollamaApiKey, credential: values.credential, field: 'ollamaApiKey' }
    return ollamaChatModel({
      egress: context.egress,
      model: values.modelName,
      baseURL: values.baseUrl ?? context.settings.OLLAMA_BASE_URL,
      apiKey: () => providerKey(sources, context),
      streaming: values.streaming,
      images: values.allowImageUploads,
      think: values.think || undefined,
      json: values.jsonMode,
      keepAlive: values.keepAlive,
      options: given({
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
