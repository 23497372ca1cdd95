import { defineNode } from '../../cards/define-node.ts'
import { credentialField, secretField, textField } from '../../cards/field.ts'
import { localAIEmbedder } from '../../embed/local-ai.ts'
import { modelNames, openAIModels } from '../model-lists.ts'
import { keyReader } from '../provider-key.ts'
import { cutLongTextsField } from './cut-long-texts.ts'
import { mayCall } from '../may-call.ts'
import { InputError } from '../../cards/input-error.ts'

export const localAIEmbeddings = defineNode({
  kind: 'embedder',
  name: 'localAIEmbeddings',
  label: 'LocalAI Embeddings',
  version: 1,
  category: 'Embeddings',
  type: 'LocalAI Embeddings',
  baseClasses: ['LocalAI Embeddings', 'Embeddings'],
  description: 'Embedding models on your own server behind OpenAI’s protocol, such as LocalAI',
  fields: {
    credential: credentialField('Connect Credential', ['localAIApi']),
    localAIApiKey: secretField('LocalAI API Key'),
    basePath: textField('Base Path', undefined, { guard: 'url', main: true }),
    modelName: textField('Model Name', undefined, modelNames),
    cutLongTexts: cutLongTextsField(),
  },
  anchors: {},
  lists: {
    listModels: ({ basePath, localAIApiKey, credential }, context) =>
      openAIModels(
        {
          provider: 'LocalAI',
          baseURL: basePath,
          sources: { nodeKey: localAIApiKey, credential, field: 'localAIApiKey' },
        },
        context,
      ),
  },
  build({ values }, context) {
    const { basePath, modelName, localAIApiKey, credential } = values
    if (basePath === undefined) throw new InputError('basePath', 'a base path is needed')
    if (modelName === undefined) throw new InputError('modelName', 'a model name is needed')
    mayCall(context, basePath, 'basePath')
    return localAIEmbedder({
      egress: context.egress,
      model: modelName,
      baseURL: basePath,
      apiKey: keyReader({ nodeKey: localAIApiKey, credential, field: 'localAIApiKey' }, context),
      cut: values.cutLongTexts,
    })
  },
})
