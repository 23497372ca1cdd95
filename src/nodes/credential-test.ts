import { ANTHROPIC_BASE_URL } from '../chat/anthropic.ts'
import { REPLICATE_BASE_URL } from '../chat/replicate.ts'
import type { CredentialData } from '../contract/credential-store.ts'
import { GOOGLE_BASE_URL } from '../embed/google.ts'
import type { ProviderSettings } from '../kit/config.ts'
import type { Egress } from '../kit/egress/client.ts'
import { reasonOf, SluiceError } from '../kit/errors.ts'
import { isObject, type Json, type JsonObject, parseJson } from '../kit/json.ts'
import { cleanMessage, messageIn } from '../kit/provider/answer.ts'
import { readBaseURL } from '../kit/provider/base-url.ts'
import { GITHUB_API } from '../sources/github/repository.ts'
import { CHAT_PROVIDERS } from './chat-models/chat-providers.ts'
import { EMBEDDING_PROVIDERS } from './embeddings/embedding-providers.ts'
import type { CredentialKindName } from './credential-kinds.ts'

/** A call that shows whether a provider accepts a credential. It costs nothing, or next to nothing. */
type TestCall = {
  /** The address of the provider; absent where only the person knows it, such as that of an own server. */
  address?: (settings: ProviderSettings) => string
  /** What follows the address. */
  path: string
  body?: JsonObject
  headers(values: CredentialData): Record<string, string>
  /** The key of the list in the answer, and the key of a name in its rows. */
  list?: readonly [list: string, name: string]
}

const bearer =
  (field: string) =>
  ({ [field]: key = '' }: CredentialData): Record<string, string> =>
    key === '' ? {} : { authorization: `Bearer ${key}` }

const basic = (name = '', password = '') => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
})

/**
 * By kind of credential, for each of them. Null for a kind without a call that is cheap, and for one that has its address
 * among its values.
 */
const TEST_CALLS: Readonly<Record<CredentialKindName, TestCall | null>> = {
  openAIApi: {
    address: ({ OPENAI_BASE_URL }) => OPENAI_BASE_URL,
    path: '/models',
    headers: bearer('openAIApiKey'),
    list: ['data', 'id'],
  },
  anthropicApi: {
    address: () => ANTHROPIC_BASE_URL,
    path: '/models?limit=100',
    headers: ({ anthropicApiKey = '' }) => ({
      'x-api-key': anthropicApiKey,
      'anthropic-version': '2023-06-01',
    }),
    list: ['data', 'id'],
  },
  googleGenerativeAI: {
    address: () => GOOGLE_BASE_URL,
    path: '/models?pageSize=100',
    headers: ({ googleGenerativeAPIKey = '' }) => ({ 'x-goog-api-key': googleGenerativeAPIKey }),
    list: ['models', 'name'],
  },
  ollamaApi: {
    address: ({ OLLAMA_BASE_URL }) => OLLAMA_BASE_URL,
    path: '/api/tags',
    headers: bearer('ollamaApiKey'),
    list: ['models', 'name'],
  },
  localAIApi: { path: '/models', headers: bearer('localAIApiKey'), list: ['data', 'id'] },
  cohereApi: {
    address: () => 'https://api.cohere.com/v1',
    path: '/models?page_size=100',
    headers: bearer('cohereApiKey'),
    list: ['models', 'name'],
  },
  // Jina AI documents no list of models that needs a key: one short text is ranked.
  jinaAIApi: {
    address: () => 'https://api.jina.ai/v1',
    path: '/rerank',
    body: { model: 'jina-reranker-v2-base-multilingual', query: 'test', documents: ['test'], top_n: 1 },
    headers: bearer('jinaAIAPIKey'),
  },
  qdrantApi: { path: '/collections', headers: ({ qdrantApiKey = '' }) => ({ 'api-key': qdrantApiKey }) },
  pineconeApi: {
    address: () => 'https://api.pinecone.io',
    path: '/indexes',
    headers: ({ pineconeApiKey = '' }) => ({
      'api-key': pineconeApiKey,
      'x-pinecone-api-version': '2025-04',
    }),
  },
  chromaApi: {
    path: '/api/v2/auth/identity',
    headers: ({ chromaApiKey = '' }): Record<string, string> =>
      chromaApiKey === '' ? {} : { 'x-chroma-token': chromaApiKey },
  },
  replicateApi: {
    address: () => REPLICATE_BASE_URL,
    path: '/account',
    headers: bearer('replicateApiKey'),
  },
  githubApi: { address: () => GITHUB_API, path: '/user', headers: bearer('accessToken') },
  openAPIAuth: {
    path: '',
    headers: ({ openAPIToken = '', username, password }) =>
      openAPIToken === '' ? basic(username, password) : { authorization: `Bearer ${openAPIToken}` },
  },
  httpBasicAuth: {
    path: '',
    headers: ({ basicAuthUsername, basicAuthPassword }) => basic(basicAuthUsername, basicAuthPassword),
  },
  httpBearerToken: { path: '', headers: bearer('token') },
  httpApiKey: { path: '', headers: ({ key = '', value = '' }) => (key === '' ? {} : { [key]: value }) },
  elasticsearchApi: null,
  elasticSearchUserPassword: null,
  openSearchUrl: null,
  openSearchAws: null,
  PostgresApi: null,
  MySQLApi: null,
  unstructuredApi: null,
  // A token has to be made first.
  gmailOAuth2: null,
  // A search costs; the services have no other call that all of them describe.
  braveSearchApi: null,
  exaSearchApi: null,
  googleCustomSearchApi: null,
  searchApi: null,
  serpApi: null,
  serperApi: null,
  tavilyApi: null,
  wolframAlphaAppId: null,
}

const callOf = (kind: string): TestCall | null =>
  Object.hasOwn(TEST_CALLS, kind) ? TEST_CALLS[kind as CredentialKindName] : providerCall(kind)

/**
 * The call of a provider of the tables; null where its list of models is none, or its address is made of the credential. The call of
 * its embeddings, if that row has one, asks for the key: its list of models may be for everybody.
 */
function providerCall(kind: string): TestCall | null {
  const ofEmbeddings = embeddingsCall(kind)
  const row = CHAT_PROVIDERS.find(({ credential }) => credential.kind === kind)
  if (!row || ofEmbeddings) return ofEmbeddings
  if (row.models !== 'asked' || row.keyTest === null) return null
  const { baseURL, credential, keyTest } = row
  return {
    ...(baseURL === undefined ? {} : { address: () => baseURL }),
    path: keyTest ?? '/models',
    headers: bearer(credential.key),
    ...(keyTest === undefined ? { list: ['data', 'id'] as const } : {}),
  }
}

function embeddingsCall(kind: string): TestCall | null {
  const row = EMBEDDING_PROVIDERS.find(({ credential }) => credential.kind === kind)
  if (!row?.keyTest) return null
  const { baseURL, credential, dialect, keyTest } = row
  const headers = bearer(credential.key)
  return 'body' in keyTest
    ? { address: () => baseURL, path: dialect.path(keyTest.body.model), body: keyTest.body, headers }
    : { address: () => keyTest.address, path: keyTest.path, headers }
}

/** Whether a kind of credential can be tested; `address` is the address that is called, null if one must be given. */
export function credentialTestOf(
  kind: string,
  settings: ProviderSettings,
): { address: string | null } | undefined {
  const call = callOf(kind)
  return call ? { address: call.address?.(settings) ?? null } : undefined
}

/** What a provider answered to a credential. */
export type CredentialVerdict = {
  ok: boolean
  /** The status of the answer; null where none came. */
  status: number | null
  /** The address that was called, without a query. */
  address: string
  /** A sentence with what the provider answered, without secrets. */
  message: string
  /** The first models that the provider lists. */
  models: string[]
}

export type CredentialTrial = {
  kind: string
  values: CredentialData
  /** The base address to call instead of the provider's. */
  address: string | undefined
}

const LIMITS = { headersMs: 15_000, idleMs: 15_000, responseBytes: 5 * 2 ** 20 }
const MOST_MODELS = 100

/**
 * Calls a provider with a credential, through the rules for outgoing calls. A refusal by the provider or by these rules is
 * a verdict, not an error.
 *
 * @throws SluiceError `credential_not_testable`, `body_invalid` for an address that is missing or is none
 */
export async function testCredential(
  { kind, values, address }: CredentialTrial,
  { egress, settings }: { egress: Egress; settings: ProviderSettings },
): Promise<CredentialVerdict> {
  const call = callOf(kind)
  if (!call) throw new SluiceError('credential_not_testable', { kind })
  const base = baseOf(address ?? call.address?.(settings))
  const url = `${call.path === '' ? base : base.endsWith('/') ? base.slice(0, -1) : base}${call.path}`
  const shown = url.replace(/\?.*$/s, '')
  const secrets = Object.values(values)
  const clean = (message: string) => cleanMessage(message, { secrets, texts: [] })
  try {
    const response = await egress.forProvider(base).limited(LIMITS)(url, {
      ...(call.body ? { method: 'POST', body: JSON.stringify(call.body) } : {}),
      headers: {
        accept: 'application/json',
        ...(call.body ? { 'content-type': 'application/json' } : {}),
        ...call.headers(values),
      },
    })
    const text = await response.text()
    const { status } = response
    const ok = status >= 200 && status < 300
    const models = ok && call.list ? namesIn(parseJson(text), call.list) : []
    const message = ok
      ? accepted(status, call.list ? models.length : undefined)
      : `It answered ${status}${withColon(clean(messageIn(text) ?? ''))}`
    return { ok, status, address: shown, message, models: models.slice(0, MOST_MODELS) }
  } catch (error) {
    const hint = error instanceof SluiceError && error.facts.hint ? `. ${String(error.facts.hint)}` : ''
    const message = clean(`${reasonOf(error)}${hint}`)
    return { ok: false, status: null, address: shown, message, models: [] }
  }
}

const accepted = (status: number, models: number | undefined): string =>
  models === undefined
    ? `It answered ${status}`
    : `It accepts the credential and lists ${models} ${models === 1 ? 'model' : 'models'}`

const withColon = (text: string): string => (text === '' ? '' : `: ${text}`)

function baseOf(address: string | undefined): string {
  if (address === undefined)
    throw new SluiceError('body_invalid', {
      reason: 'address: this kind of credential has no address of its own',
    })
  try {
    readBaseURL(address)
    return address.trim()
  } catch (error) {
    throw new SluiceError('body_invalid', { reason: `address: ${reasonOf(error)}` }, { cause: error })
  }
}

function namesIn(answer: Json | undefined, [list, name]: readonly [string, string]): string[] {
  const rows = isObject(answer) ? answer[list] : answer
  return (Array.isArray(rows) ? rows : [])
    .flatMap((row) => (isObject(row) && typeof row[name] === 'string' ? [row[name]] : []))
    .map((found) => found.replace(/^models\//, '').slice(0, 200))
}
