import { defineNode } from '../../cards/define-node.ts'
import { flagField, numberField, textField } from '../../cards/field.ts'
import { ollamaEmbedder } from '../../embed/ollama.ts'
import { modelNames, ollamaModels } from '../model-lists.ts'
import { cutLongTextsField } from './cut-long-texts.ts'
import { mayCall } from '../may-call.ts'
import { InputError } from '../../cards/input-error.ts'

const count = { whole: true, min: 0, max: 10_000 }

export const ollamaEmbedding = defineNode({
  kind: 'embedder',
  name: 'ollamaEmbedding',
  label: 'Ollama Embeddings',
  version: 2,
  category: 'Embeddings',
  type: 'OllamaEmbeddings',
  baseClasses: ['OllamaEmbeddings', 'Embeddings'],
  description: 'Embedding models in Ollama',
  fields: {
    baseUrl: textField('Base URL', undefined, { guard: 'url', main: true }),
    modelName: textField('Model Name', undefined, modelNames),
    numGpu: numberField('Number of GPU', undefined, count, { additional: true }),
    numThread: numberField('Number of Thread', undefined, count, { additional: true }),
    useMMap: flagField('Use MMap', true, { additional: true }),
    cutLongTexts: cutLongTextsField(),
  },
  anchors: {},
  lists: {
    listModels: ({ baseUrl }, context) =>
      ollamaModels(
        {
          provider: 'Ollama',
          baseURL: baseUrl ?? context.settings.OLLAMA_BASE_URL,
          sources: { nodeKey: undefined, credential: undefined, field: '' },
        },
        context,
      ),
  },
  build({ values }, context) {
    const { egress, settings } = context
    if (values.modelName === undefined) throw new InputError('modelName', 'a model name is needed')
    const baseURL = values.baseUrl ?? settings.OLLAMA_BASE_URL
    mayCall(context, baseURL, 'baseUrl')
    return ollamaEmbedder({
      egress,
      model: values.modelName,
      baseURL,
      options: { num_gpu: values.numGpu, num_thread: values.numThread, use_mmap: values.useMMap },
      cut: values.cutLongTexts,
    })
  },
})
