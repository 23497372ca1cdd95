import { defineNode } from '../../cards/define-node.ts'
import { choiceField, credentialField, flagField, secretField, textField } from '../../cards/field.ts'
import { GOOGLE_TASKS, googleEmbedder } from '../../embed/google.ts'
import { googleAddress } from '../google-address.ts'
import { googleModels, modelNames } from '../model-lists.ts'
import { requiredKeyReader } from '../provider-key.ts'
import { cutLongTextsField } from './cut-long-texts.ts'
import { mayCall } from '../may-call.ts'

export const googleGenerativeAiEmbeddings = defineNode({
  kind: 'embedder',
  name: 'googleGenerativeAiEmbeddings',
  label: 'Google Generative AI Embeddings',
  version: 2,
  category: 'Embeddings',
  type: 'GoogleGenerativeAiEmbeddings',
  baseClasses: ['GoogleGenerativeAiEmbeddings', 'Embeddings'],
  description: 'Gemini embedding models of Google',
  fields: {
    credential: credentialField('Connect Credential', ['googleGenerativeAI']),
    googleGenerativeAPIKey: secretField('Google AI API Key'),
    modelName: textField('Model Name', 'gemini-embedding-001', modelNames),
    tasktype: choiceField('Task Type', GOOGLE_TASKS, 'TASK_TYPE_UNSPECIFIED', { main: true }),
    stripNewLines: flagField('Strip New Lines', false, { additional: true }),
    baseUrl: textField('Base URL', undefined, { additional: true, guard: 'url' }),
    cutLongTexts: cutLongTextsField(),
  },
  anchors: {},
  lists: {
    listModels: (values, context) => googleModels(googleAddress(values, context), context, 'embedContent'),
  },
  build({ values }, context) {
    const { baseURL, sources } = googleAddress(values, context)
    mayCall(context, baseURL, 'baseUrl')
    return googleEmbedder({
      egress: context.egress,
      model: values.modelName,
      baseURL,
      apiKey: requiredKeyReader(sources, 'GOOGLE_GENERATIVE_AI_API_KEY', context),
      task: values.tasktype,
      stripNewLines: values.stripNewLines,
      cut: values.cutLongTexts,
    })
  },
})
