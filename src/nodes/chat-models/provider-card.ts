import { compatibleChatModel } from '../../chat/openai-compatible.ts'
import { defineNode } from '../../cards/define-node.ts'
import {
  credentialField,
  flagField,
  numberField,
  objectField,
  secretField,
  textField,
  textListField,
} from '../../cards/field.ts'
import { InputError } from '../../cards/input-error.ts'
import type { BuildContext, NodeCard } from '../../contract/card.ts'
import type { Fields } from '../../contract/field.ts'
import type { JsonObject } from '../../kit/json.ts'
import { azureAddress, azureFields, type AzureValues } from '../azure-address.ts'
import { headersFromOptions } from '../headers-from-options.ts'
import { mayCall } from '../may-call.ts'
import { knownModels, modelNames, openAIModels } from '../model-lists.ts'
import { beforeUse, keyReader, requiredKeyReader } from '../provider-key.ts'
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
  topKField,
  topPField,
} from './chat-model-fields.ts'
import type { ChatProvider } from './chat-providers.ts'

const additional = { additional: true }

/** Every input that a row may have, by the name that most nodes give it. */
const commonFields = ({ credential, azure, baseURL, model, temperature, provider }: ChatProvider) => ({
  credential: credentialField('Connect Credential', [credential.kind]),
  key: secretField(`${provider} API Key`),
  modelName: textField('Model Name', model, modelNames),
  basepath:
    baseURL === undefined && !azure
      ? textField('Base Path', undefined, { guard: 'url' })
      : baseUrlField('Base Path'),
  temperature: { ...temperatureField(), ...(temperature === undefined ? {} : { fallback: temperature }) },
  streaming: streamingField(),
  allowImageUploads: imageUploadsField(),
  maxTokens: maxTokensField(),
  topP: topPField(),
  topK: topKField(),
  frequencyPenalty: penaltyField('Frequency Penalty'),
  presencePenalty: penaltyField('Presence Penalty'),
  stopSequence: textListField('Stop Sequence', {
    ...additional,
    description: 'One or more, separated by commas',
  }),
  timeout: timeoutField(),
  reasoningEffort: effortField(['minimal', 'low', 'medium', 'high']),
  randomSeed: numberField('Random Seed', undefined, { whole: true, min: 0 }, additional),
  safeMode: flagField('Safe Mode', false, {
    ...additional,
    description: 'The provider puts a safety prompt before the conversation',
  }),
  baseOptions: objectField('BaseOptions', {
    ...additional,
    guard: 'credential',
    description: 'Headers that are sent with every call',
  }),
  ...azureFields(),
})

/** The inputs of every row; the others are those of `ProviderInput` that the row lists. */
const ALWAYS = new Set([
  'credential',
  'key',
  'modelName',
  'basepath',
  'temperature',
  'streaming',
  'allowImageUploads',
])

const AZURE = new Set(Object.keys(azureFields()))

/** The node of a row. */
export function providerCard(row: ChatProvider): NodeCard<'chatModel'> {
  const card = commonCard(row)
  const names = inputNames(row)
  const commonOf = new Map([...names].map(([common, own]) => [own, common]))
  const own = new Set<string>([...ALWAYS, ...row.inputs, ...(row.azure ? AZURE : [])])
  const fields: Fields = Object.fromEntries(
    Object.entries(card.fields)
      .filter(([name]) => own.has(name))
      .map(([name, field]) => [names.get(name) ?? name, field]),
  )
  /** Values by their common names; an input that the row does not have is empty. */
  const common = (values: Record<string, unknown>) => {
    const empty = Object.entries(card.fields).map(([name, { type }]) => [
      name,
      type === 'json' ? {} : type === 'boolean' ? false : undefined,
    ])
    const given = Object.entries(values).map(([name, value]) => [commonOf.get(name) ?? name, value])
    return { ...Object.fromEntries(empty), ...Object.fromEntries(given) } as Record<string, unknown>
  }
  return {
    ...card,
    fields,
    lists: { listModels: (values, context) => card.lists!.listModels!(common(values), context) },
    build: ({ values, parts }, context) => card.build({ values: common(values), parts }, context),
  }
}

/** By the common name of an input, that in the node. */
const inputNames = ({ names = {}, credential }: ChatProvider) =>
  new Map<string, string>([...Object.entries(names), ['key', credential.key]])

function commonCard(row: ChatProvider) {
  const { node, label, version, type = node, provider, docs, azure, quirks, models } = row
  const names = inputNames(row)
  const nameOf = (input: string) => names.get(input) ?? input
  return defineNode({
    ...chatModelCard,
    name: node,
    label,
    version,
    type,
    baseClasses: [type, 'BaseChatModel', 'BaseLanguageModel', 'Runnable'],
    description: `Chat models of ${provider}: ${docs}`,
    fields: commonFields(row),
    lists: {
      listModels: async (values, context) =>
        models === 'asked'
          ? openAIModels(placeOf(row, values, nameOf), context, /./, 'chat')
          : knownModels(models),
    },
    build({ values }, context) {
      if (values.modelName === undefined) throw new InputError(nameOf('modelName'), 'a model name is needed')
      if (azure && values.basepath === undefined) {
        // The address is in the credential.
      } else mayCall(context, placeOf(row, values, nameOf).baseURL, nameOf('basepath'))
      return compatibleChatModel({
        egress: context.egress,
        provider,
        model: values.modelName,
        ...(azure ? azureCall(values, context) : call(row, values, nameOf, context)),
        headers: headersFromOptions(values.baseOptions),
        timeoutMs: values.timeout,
        streaming: values.streaming,
        images: values.allowImageUploads,
        ...(quirks ? { quirks } : {}),
        sampling: omitUndefined({
          temperature: values.temperature,
          maxOutputTokens: values.maxTokens,
          topP: values.topP,
          frequencyPenalty: values.frequencyPenalty,
          presencePenalty: values.presencePenalty,
          stopSequences: values.stopSequence,
        }),
        parameters: omitUndefined({
          top_k: values.topK,
          reasoning_effort: values.reasoningEffort,
          random_seed: values.randomSeed,
          safe_prompt: values.safeMode || undefined,
        }) as JsonObject,
      })
    },
  })
}

type Place = Pick<KeyedValues, 'key' | 'credential' | 'basepath'>
type KeyedValues = {
  key: string | undefined
  credential: string | undefined
  basepath: string | undefined
}

function placeOf(
  { provider, credential: { key: field }, baseURL: usual }: ChatProvider,
  { key, credential, basepath }: Place,
  nameOf: (input: string) => string,
) {
  const baseURL = basepath ?? usual
  if (baseURL === undefined) throw new InputError(nameOf('basepath'), 'the address of the server is needed')
  return { provider, baseURL, sources: { nodeKey: key, credential, field } }
}

/** A server at an own address may need no key. */
function call(row: ChatProvider, values: Place, nameOf: (input: string) => string, context: BuildContext) {
  const { baseURL, sources } = placeOf(row, values, nameOf)
  const apiKey =
    baseURL === row.baseURL ? requiredKeyReader(sources, undefined, context) : keyReader(sources, context)
  return { baseURL, apiKey }
}

function azureCall(values: KeyedValues & Omit<AzureValues, 'azureOpenAIApiKey'>, context: BuildContext) {
  return {
    baseURL: values.basepath ?? 'https://openai.azure.com',
    address: beforeUse(() => azureAddress({ ...values, azureOpenAIApiKey: values.key }, context), context),
  }
}
