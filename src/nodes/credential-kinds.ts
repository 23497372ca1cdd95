import { SluiceError } from '../kit/errors.ts'
import { didYouMean } from '../kit/suggest.ts'
import { CHAT_PROVIDERS } from './chat-models/chat-providers.ts'
import { EMBEDDING_PROVIDERS } from './embeddings/embedding-providers.ts'

/** One value of a credential. Clients hide a `secret` one while it is typed. */
export type CredentialField = { name: string; label: string; secret: boolean; optional?: true }

export type CredentialKind = { name: string; label: string; fields: readonly CredentialField[] }

const secret = (name: string, label: string): CredentialField => ({ name, label, secret: true })
const open = (name: string, label: string): CredentialField => ({ name, label, secret: false })
const authority: CredentialField = {
  ...open('ca', 'Certificate of the authority of the server (PEM), where it is not a public one'),
  optional: true,
}

const optional = true as const
const ADDRESS = 'Address, where it is not that of the provider'
const AZURE_FIELDS = [
  open('azureOpenAIApiInstanceName', 'Instance: RESOURCE of https://RESOURCE.openai.azure.com'),
  open('azureOpenAIApiDeploymentName', 'Deployment'),
  open('azureOpenAIApiVersion', 'API version: 2024-10-21'),
]

/** The kinds of credential that the nodes take. Kinds and fields have Flowise's names. */
const KINDS = [
  { name: 'openAIApi', label: 'OpenAI API', fields: [secret('openAIApiKey', 'OpenAI API key')] },
  { name: 'anthropicApi', label: 'Anthropic API', fields: [secret('anthropicApiKey', 'Anthropic API key')] },
  {
    name: 'googleGenerativeAI',
    label: 'Google Generative AI',
    fields: [secret('googleGenerativeAPIKey', 'Google API key')],
  },
  { name: 'ollamaApi', label: 'Ollama API', fields: [secret('ollamaApiKey', 'Ollama API key')] },
  { name: 'localAIApi', label: 'LocalAI API', fields: [secret('localAIApiKey', 'LocalAI API key')] },
  { name: 'qdrantApi', label: 'Qdrant API', fields: [secret('qdrantApiKey', 'Qdrant API key')] },
  { name: 'pineconeApi', label: 'Pinecone API', fields: [secret('pineconeApiKey', 'Pinecone API key')] },
  {
    name: 'chromaApi',
    label: 'Chroma API',
    fields: [
      { ...secret('chromaApiKey', 'Chroma API key'), optional: true },
      { ...open('chromaTenant', 'Chroma tenant'), optional: true },
      { ...open('chromaDatabase', 'Chroma database'), optional: true },
    ],
  },
  {
    name: 'openSearchUrl',
    label: 'OpenSearch',
    fields: [
      open('openSearchUrl', 'OpenSearch URL, or several of one cluster with commas between them'),
      { ...open('user', 'User name'), optional: true },
      { ...secret('password', 'Password'), optional: true },
      authority,
    ],
  },
  {
    name: 'openSearchAws',
    label: 'OpenSearch on AWS',
    fields: [
      open('openSearchUrl', 'Endpoint of the domain'),
      open('awsKey', 'AWS access key ID'),
      secret('awsSecret', 'AWS secret access key'),
      { ...secret('awsSession', 'AWS session token'), optional: true },
      { ...open('region', 'AWS region, where the endpoint does not name it'), optional: true },
      { ...open('service', 'Service: es, or aoss, where the endpoint does not name it'), optional: true },
      authority,
    ],
  },
  {
    name: 'elasticsearchApi',
    label: 'Elasticsearch API',
    fields: [
      open('endpoint', 'Elasticsearch endpoint, or several of one cluster with commas between them'),
      secret('apiKey', 'Elasticsearch API key'),
      authority,
    ],
  },
  {
    name: 'elasticSearchUserPassword',
    label: 'Elasticsearch user and password',
    fields: [
      open('cloudId', 'Cloud ID, or the address of the server, or several with commas between them'),
      open('username', 'User name'),
      secret('password', 'Password'),
      authority,
    ],
  },
  { name: 'cohereApi', label: 'Cohere API', fields: [secret('cohereApiKey', 'Cohere API key')] },
  { name: 'jinaAIApi', label: 'Jina AI API', fields: [secret('jinaAIAPIKey', 'Jina AI API key')] },
  {
    name: 'unstructuredApi',
    label: 'Unstructured API',
    fields: [secret('unstructuredAPIKey', 'Unstructured API key')],
  },
  {
    name: 'braveSearchApi',
    label: 'Brave Search API',
    fields: [secret('braveApiKey', 'Brave Search API key')],
  },
  { name: 'exaSearchApi', label: 'Exa API', fields: [secret('exaSearchApiKey', 'Exa API key')] },
  {
    name: 'googleCustomSearchApi',
    label: 'Google Custom Search API',
    fields: [
      secret('googleCustomSearchApiKey', 'Google API key'),
      open('googleCustomSearchApiId', 'Id of the programmable search engine (cx)'),
    ],
  },
  { name: 'searchApi', label: 'SearchApi', fields: [secret('searchApiKey', 'SearchApi key')] },
  { name: 'serpApi', label: 'SerpApi', fields: [secret('serpApiKey', 'SerpApi key')] },
  { name: 'serperApi', label: 'Serper API', fields: [secret('serperApiKey', 'Serper API key')] },
  { name: 'tavilyApi', label: 'Tavily API', fields: [secret('tavilyApiKey', 'Tavily API key')] },
  {
    name: 'wolframAlphaAppId',
    label: 'Wolfram|Alpha',
    fields: [secret('wolframAlphaAppId', 'Wolfram|Alpha app id')],
  },
  { name: 'replicateApi', label: 'Replicate API', fields: [secret('replicateApiKey', 'Replicate API key')] },
  {
    name: 'gmailOAuth2',
    label: 'Gmail OAuth2',
    fields: [
      open('clientId', 'Client ID of an OAuth client of Google'),
      secret('clientSecret', 'Client secret'),
      secret('refresh_token', 'Refresh token of the mailbox, with the scope https://mail.google.com/'),
    ],
  },
  { name: 'githubApi', label: 'GitHub API', fields: [secret('accessToken', 'GitHub access token')] },
  {
    name: 'PostgresApi',
    label: 'PostgreSQL',
    fields: [open('user', 'User name'), secret('password', 'Password')],
  },
  {
    name: 'MySQLApi',
    label: 'MySQL or MariaDB',
    fields: [open('user', 'User name'), secret('password', 'Password')],
  },
  {
    name: 'openAPIAuth',
    label: 'OpenAPI authentication',
    fields: [
      { ...secret('openAPIToken', 'Token or key'), optional: true },
      { ...open('username', 'User name'), optional: true },
      { ...secret('password', 'Password'), optional: true },
    ],
  },
  {
    name: 'httpBasicAuth',
    label: 'HTTP basic authentication',
    fields: [open('basicAuthUsername', 'User name'), secret('basicAuthPassword', 'Password')],
  },
  { name: 'httpBearerToken', label: 'HTTP bearer token', fields: [secret('token', 'Token')] },
  {
    name: 'httpApiKey',
    label: 'HTTP API key',
    fields: [open('key', 'Name of the header'), secret('value', 'Value of the header')],
  },
] as const satisfies readonly CredentialKind[]

/** Those of the tables of providers; one that several rows share stands once. */
const OF_PROVIDERS: readonly CredentialKind[] = [
  ...new Map(
    [...CHAT_PROVIDERS, ...EMBEDDING_PROVIDERS].map(({ credential, azure }): [string, CredentialKind] => {
      const { kind, label, key } = credential
      const address = 'address' in credential ? [{ ...open(credential.address!, ADDRESS), optional }] : []
      return [
        kind,
        {
          name: kind,
          label,
          fields: [secret(key, `${label} key`), ...address, ...(azure ? AZURE_FIELDS : [])],
        },
      ]
    }),
  ).values(),
].filter(({ name }) => !KINDS.some((kind) => kind.name === name))

export const CREDENTIAL_KINDS: readonly CredentialKind[] = [...KINDS, ...OF_PROVIDERS]

export type CredentialKindName = (typeof KINDS)[number]['name']

/** @throws SluiceError `credential_kind_not_found`, which lists the known kinds */
export function findCredentialKind(name: string): CredentialKind {
  const found = CREDENTIAL_KINDS.find((kind) => kind.name === name)
  if (found) return found
  const names = CREDENTIAL_KINDS.map((kind) => kind.name)
  const hint = didYouMean(name, names)
  throw new SluiceError('credential_kind_not_found', {
    name,
    known: names.join(', '),
    ...(hint === undefined ? {} : { hint }),
  })
}
