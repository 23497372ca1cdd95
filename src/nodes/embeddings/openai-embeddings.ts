import type { BuildContext } from '../../contract/card.ts'
import { defineNode } from '../../cards/define-node.ts'
import {
  choiceField,
  credentialField,
  flagField,
  numberField,
  objectField,
  secretField,
  textField,
} from '../../cards/field.ts'
import type { ValuesOf } from '../../contract/field.ts'
import { openAIEmbedder } from '../../embed/openai.ts'
import { modelNames, openAIModels } from '../model-lists.ts'
import { openAIAddress } from '../openai-address.ts'
import { requiredKeyReader } from '../provider-key.ts'
import { cutLongTextsField } from './cut-long-texts.ts'
import { mayCall } from '../may-call.ts'

const additional = { additional: true }

const fields = {
  credential: credentialField('Connect Credential', ['openAIApi']),
  openAIApiKey: secretField('OpenAI API Key'),
  stripNewLines: flagField('Strip New Lines', false, additional),
  batchSize: numberField(
    'Batch Size',
    undefined,
    { whole: true, min: 1, max: 2048 },
    { ...additional, unit: 'texts' },
  ),
  timeout: numberField(
    'Timeout',
    undefined,
    { whole: true, min: 1, max: 3_600_000 },
    {
      ...additional,
      unit: 'ms',
      description: 'How long to wait for an answer',
    },
  ),
  basepath: textField('BasePath', undefined, { ...additional, guard: 'url' }),
  baseOptions: objectField('BaseOptions', {
    ...additional,
    guard: 'credential',
    description: 'Headers that are sent with every call',
  }),
  dimensions: numberField(
    'Dimensions',
    undefined,
    { whole: true, min: 1, max: 65_536 },
    { ...additional, main: true },
  ),
  encodingFormat: choiceField('Encoding Format', ['float', 'base64'], 'float', {
    ...additional,
    description: 'Has no effect: vectors are always requested as numbers',
  }),
  cutLongTexts: cutLongTextsField(),
}

type Values = ValuesOf<typeof fields> & { modelName: string }

function build(values: Values, context: BuildContext) {
  const { baseURL, sources, headers } = openAIAddress(values, context)
  mayCall(context, baseURL, 'basepath')
  return openAIEmbedder({
    egress: context.egress,
    model: values.modelName,
    baseURL,
    apiKey: requiredKeyReader(sources, 'OPENAI_API_KEY', context),
    headers,
    dimensions: values.dimensions,
    batchSize: values.batchSize,
    timeoutMs: values.timeout,
    stripNewLines: values.stripNewLines,
    cut: values.cutLongTexts,
  })
}

const shared = {
  kind: 'embedder',
  category: 'Embeddings',
  anchors: {},
} as const

export const openAIEmbeddings = defineNode({
  ...shared,
  name: 'openAIEmbeddings',
  label: 'OpenAI Embeddings',
  version: 4,
  type: 'OpenAIEmbeddings',
  baseClasses: ['OpenAIEmbeddings', 'Embeddings'],
  description: 'Embedding models of OpenAI',
  fields: { modelName: textField('Model Name', 'text-embedding-ada-002', modelNames), ...fields },
  lists: {
    listModels: (values, context) => openAIModels(openAIAddress(values, context), context, /embed/),
  },
  build: ({ values }, context) => build(values, context),
})

export const openAIEmbeddingsCustom = defineNode({
  ...shared,
  name: 'openAIEmbeddingsCustom',
  label: 'OpenAI Embeddings Custom',
  version: 3,
  type: 'OpenAIEmbeddingsCustom',
  baseClasses: ['OpenAIEmbeddingsCustom', 'Embeddings'],
  description: 'Any embedding model behind OpenAI’s protocol',
  fields: { ...fields, modelName: textField('Model Name', 'text-embedding-ada-002', modelNames) },
  lists: { listModels: (values, context) => openAIModels(openAIAddress(values, context), context) },
  build: ({ values }, context) => build(values, context),
})
