import { defineNode } from '../../cards/define-node.ts'
import {
  choiceField,
  credentialField,
  flagField,
  numberField,
  secretField,
  textField,
} from '../../cards/field.ts'
import { InputError } from '../../cards/input-error.ts'
import type { BuildContext, NodeCard } from '../../contract/card.ts'
import type { Fields } from '../../contract/field.ts'
import { type EmbedAddress, tableEmbedder } from '../../embed/table-embedder.ts'
import { azureAddress, azureFields, type AzureValues } from '../azure-address.ts'
import { mayCall } from '../may-call.ts'
import { knownModels, modelNames, openAIModels } from '../model-lists.ts'
import { beforeUse, providerKey, requiredKey } from '../provider-key.ts'
import { cutLongTextsField } from './cut-long-texts.ts'
import type { EmbeddingProvider } from './embedding-providers.ts'

const additional = { additional: true }

/** What texts are embedded for, at Cohere; both kinds of a search are told apart by what is embedded. */
const INPUT_TYPES = ['search_document', 'search_query', 'classification', 'clustering'] as const

/** Every input that a row may have. */
const commonFields = ({
  credential,
  model,
  dimensions,
  provider,
  models,
  limits,
  azure,
}: EmbeddingProvider) => ({
  credential: credentialField('Connect Credential', [credential.kind]),
  key: secretField(`${provider} API Key`),
  modelName: textField('Model Name', model, models === undefined ? { main: true } : modelNames),
  address: textField(azure ? 'BasePath' : 'Endpoint', undefined, { ...additional, guard: 'url' }),
  batchSize: numberField(
    'Batch Size',
    undefined,
    { whole: true, min: 1, max: 2048 },
    {
      ...additional,
      unit: 'texts',
      description: `The most texts of a call; never more than ${limits.texts}`,
    },
  ),
  stripNewLines: flagField('Strip New Lines', false, additional),
  timeout: numberField(
    'Timeout',
    undefined,
    { whole: true, min: 1, max: 3_600_000 },
    { ...additional, unit: 'ms', description: 'How long to wait for an answer' },
  ),
  dimensions: numberField('Dimensions', dimensions, { whole: true, min: 1, max: 65_536 }, additional),
  inputType: choiceField('Type', INPUT_TYPES, 'search_document', {
    ...additional,
    description: 'For a search, documents are always embedded as documents and questions as questions',
  }),
  ...azureFields(),
  cutLongTexts: cutLongTextsField(),
})

const ALWAYS = ['credential', 'key', 'modelName', 'cutLongTexts']

/** The node of a row. */
export function providerEmbeddings(row: EmbeddingProvider): NodeCard<'embedder'> {
  const card = commonCard(row)
  const names = inputNames(row)
  const commonOf = new Map([...names].map(([common, own]) => [own, common]))
  const own = new Set<string>([
    ...ALWAYS,
    ...row.inputs,
    ...(row.addressInput === undefined ? [] : ['address']),
    ...(row.azure ? Object.keys(azureFields()) : []),
  ])
  const fields: Fields = Object.fromEntries(
    Object.entries(card.fields)
      .filter(([name]) => own.has(name))
      .map(([name, field]) => [names.get(name) ?? name, field]),
  )
  /** Values by their common names. */
  const common = (values: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [commonOf.get(name) ?? name, value]))
  return {
    ...card,
    fields,
    ...(row.models === undefined
      ? { lists: {} }
      : { lists: { listModels: (values, context) => card.lists!.listModels!(common(values), context) } }),
    build: ({ values, parts }, context) => card.build({ values: common(values), parts }, context),
  }
}

/** By the common name of an input, that in the node. */
const inputNames = ({ addressInput, credential, names }: EmbeddingProvider) =>
  new Map<string, string>([
    ['key', credential.key],
    ...(addressInput === undefined ? [] : [['address', addressInput] as const]),
    ...(names?.dimensions === undefined ? [] : [['dimensions', names.dimensions] as const]),
  ])

function commonCard(row: EmbeddingProvider) {
  const { node, label, version, type, provider, docs, azure, models = [], limits } = row
  return defineNode({
    kind: 'embedder',
    name: node,
    label,
    version,
    category: 'Embeddings',
    type,
    baseClasses: [type, 'Embeddings'],
    description: `Embedding models of ${provider}: ${docs}`,
    fields: commonFields(row),
    anchors: {},
    lists: {
      listModels: async (values, context) =>
        models === 'asked'
          ? openAIModels({ provider, ...placeOf(row, values) }, context, /./, 'embedding')
          : knownModels(models),
    },
    build({ values }, context) {
      if (values.modelName === undefined) throw new InputError('modelName', 'a model name is needed')
      if (values.address !== undefined) mayCall(context, values.address, row.addressInput!)
      const { dialectThere = row.dialect } = row
      return tableEmbedder({
        egress: context.egress,
        provider,
        name: row.id,
        model: values.modelName,
        baseURL: values.address ?? row.baseURL,
        address: beforeUse(
          () => (azure ? azureAddress(azureValues(values), context) : addressOf(row, values, context)),
          context,
        ),
        headers: {},
        dialect: values.address === undefined ? row.dialect : dialectThere,
        callLimits: { ...limits, texts: Math.min(values.batchSize ?? limits.texts, limits.texts) },
        textTokens: row.textTokens(values.modelName),
        dimensions: values.dimensions,
        options: row.inputs.includes('inputType') ? optionsOf(values.inputType) : {},
        timeoutMs: values.timeout,
        stripNewLines: values.stripNewLines ?? false,
        cut: values.cutLongTexts,
      })
    },
  })
}

/** In the id of the vectors: those of a search are of one kind, whichever of the two a flow names. */
const optionsOf = (inputType: string): Record<string, string> =>
  inputType.startsWith('search_') ? {} : { inputType }

type Place = { key: string | undefined; credential: string | undefined; address: string | undefined }

const placeOf = (
  { baseURL, credential: { key: field } }: EmbeddingProvider,
  { key, credential, address }: Place,
) => ({
  baseURL: address ?? baseURL,
  sources: { nodeKey: key, credential, field },
})

const azureValues = ({
  key,
  address,
  ...values
}: Place & Omit<AzureValues, 'azureOpenAIApiKey' | 'basepath'>) => ({
  ...values,
  azureOpenAIApiKey: key,
  basepath: address,
})

/** A server at an own address may need no key. An address in the credential goes before that of the provider. */
async function addressOf(
  row: EmbeddingProvider,
  values: Place,
  context: BuildContext,
): Promise<EmbedAddress> {
  const { baseURL, sources } = placeOf(row, values)
  const apiKey =
    values.address === undefined
      ? await requiredKey(sources, undefined, context)
      : await providerKey(sources, context)
  const { credential } = values
  const { address: field } = row.credential
  if (field === undefined || credential === undefined) return { baseURL, apiKey }
  const held = (await context.credential(credential))[field]?.trim()
  // Flowise's credential has the whole address of the call.
  return { baseURL: held ? held.replace(/\/embeddings\/?$/, '') : baseURL, apiKey }
}
