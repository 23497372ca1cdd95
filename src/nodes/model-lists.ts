import type { BuildContext, ListOption } from '../contract/card.ts'
import { isObject } from '../kit/json.ts'
import { listModels } from '../kit/provider/list-models.ts'
import { readBaseURL } from '../kit/provider/base-url.ts'
import { type KeySources, providerKey } from './provider-key.ts'

/* The models of a provider, for the input `modelName` of its nodes (`loadMethod: 'listModels'`). */

/** What an input with the name of a model declares. */
export const modelNames = { loadMethod: 'listModels', main: true } as const

type ModelAddress = {
  provider: string
  baseURL: string | undefined
  sources: KeySources
  headers?: Record<string, string>
}

type ListContext = Pick<BuildContext, 'egress' | 'credential' | 'nodeId'>

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** The address of a list, the key for it and the same key as a secret. */
async function prepared({ provider, baseURL, sources, headers = {} }: ModelAddress, context: ListContext) {
  if (baseURL === undefined) throw new Error('the base URL is empty')
  const key = await providerKey(sources, context)
  return {
    key,
    base: readBaseURL(baseURL),
    call: {
      egress: context.egress,
      provider,
      headers,
      secrets: key === undefined ? [] : [key],
      keyHint: 'Check the API key: the credential of the node',
    },
  }
}

/** The models of a list that is kept here, for a provider that lists none. */
export const knownModels = (names: readonly string[]): ListOption[] =>
  names.map((name) => ({ label: name, name }))

/**
 * Models of OpenAI's protocol.
 *
 * @param only the names that are kept
 * @param kind what the models do; a row that says it does something else (`type` of Together AI, `capabilities` of Mistral) is left out
 */
export async function openAIModels(
  address: ModelAddress,
  context: ListContext,
  only = /./,
  kind?: 'chat' | 'embedding',
): Promise<ListOption[]> {
  const { key, base, call } = await prepared(address, context)
  return listModels({
    ...call,
    url: `${base}/models`,
    headers: { ...call.headers, ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
    read(row) {
      const name = textOf(row.id)
      const fits = name !== undefined && only.test(name) && (kind === undefined || does(row, kind))
      return fits ? { label: name, name } : undefined
    },
  })
}

/** Whether a model does a kind of work, as far as its row says. */
function does({ type, capabilities }: Record<string, unknown>, kind: 'chat' | 'embedding'): boolean {
  if (typeof type === 'string' && ['chat', 'embedding', 'image', 'rerank', 'audio', 'video'].includes(type))
    return type === kind
  const chats = isObject(capabilities) ? capabilities.completion_chat : undefined
  return typeof chats !== 'boolean' || chats === (kind === 'chat')
}

export async function anthropicModels(address: ModelAddress, context: ListContext): Promise<ListOption[]> {
  const { key, base, call } = await prepared(address, context)
  return listModels({
    ...call,
    url: `${base}/models?limit=1000`,
    headers: { 'anthropic-version': '2023-06-01', ...(key === undefined ? {} : { 'x-api-key': key }) },
    read({ id, display_name: label }) {
      const name = textOf(id)
      return name === undefined ? undefined : { label: textOf(label) ?? name, name }
    },
  })
}

/** @param method what the models can do: `generateContent`, `embedContent` */
export async function googleModels(
  address: ModelAddress,
  context: ListContext,
  method: string,
): Promise<ListOption[]> {
  const { key, base, call } = await prepared(address, context)
  return listModels({
    ...call,
    url: `${base}/models?pageSize=1000`,
    headers: key === undefined ? {} : { 'x-goog-api-key': key },
    read({ name: path, displayName, supportedGenerationMethods: methods }) {
      const name = textOf(path)?.replace(/^models\//, '')
      if (name === undefined || (Array.isArray(methods) && !methods.includes(method))) return undefined
      return { label: textOf(displayName) ?? name, name }
    },
  })
}

export async function ollamaModels(address: ModelAddress, context: ListContext): Promise<ListOption[]> {
  const { key, base, call } = await prepared(address, context)
  return listModels({
    ...call,
    url: `${base.replace(/\/api$/, '')}/api/tags`,
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    read({ name: text }) {
      const name = textOf(text)
      return name === undefined ? undefined : { label: name, name }
    },
  })
}
