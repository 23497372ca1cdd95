import type { CredentialData } from '../contract/credential-store.ts'
import type { CheckedEngine } from '../contract/engine-check.ts'
import type { JsonObject } from '../kit/json.ts'
import type { EngineAccess } from '../stores/remote/engine-server.ts'
import type { CredentialKindName } from './credential-kinds.ts'
import { elasticsearchAccess, openSearchAccess } from './remote-stores/search-access.ts'

/** How the node of an engine is filled for a check. */
export type CheckableEngine = {
  /** The card of its node. */
  card: string
  /** The kinds of credential that it takes; the first unless told. */
  credentials: readonly [CredentialKindName, ...CredentialKindName[]]
  /** The fields of credentials that have the address. */
  addressFields: readonly string[]
  /** How its server is asked what it is; absent where it cannot be. `values` are those of {@link withAddress}. */
  access?(address: string, values: CredentialData): EngineAccess
  /** @throws Error for an address that the node cannot have */
  inputs(address: string, prefix: string): JsonObject
}

export const CHECKABLE_ENGINES: Readonly<Record<CheckedEngine, CheckableEngine>> = {
  opensearch: {
    card: 'openSearch',
    credentials: ['openSearchUrl', 'openSearchAws'],
    addressFields: ['openSearchUrl'],
    access: (_, values) => openSearchAccess(values),
    inputs: (_, indexName) => ({ indexName }),
  },
  elasticsearch: {
    card: 'elasticsearch',
    credentials: ['elasticsearchApi', 'elasticSearchUserPassword'],
    addressFields: ['endpoint', 'cloudId'],
    access: (_, values) => elasticsearchAccess(values),
    inputs: (_, indexName) => ({ indexName }),
  },
  chroma: {
    ...{ card: 'chroma', credentials: ['chromaApi'], addressFields: [] },
    access: (baseURL, { chromaApiKey }) => ({
      ...{ baseURL, headers: chromaApiKey ? { 'x-chroma-token': chromaApiKey } : {} },
    }),
    inputs: (chromaURL, collectionName) => ({ chromaURL, collectionName }),
  },
  qdrant: {
    ...{ card: 'qdrant', credentials: ['qdrantApi'], addressFields: [] },
    access: (baseURL, { qdrantApiKey }) => ({
      ...{ baseURL, headers: qdrantApiKey ? { 'api-key': qdrantApiKey } : {} },
    }),
    inputs: (qdrantServerUrl, qdrantCollection) => ({ qdrantServerUrl, qdrantCollection }),
  },
  pinecone: {
    ...{ card: 'pinecone', credentials: ['pineconeApi'], addressFields: [] },
    inputs: (pineconeIndex, pineconeNamespace) => ({ pineconeIndex, pineconeNamespace }),
  },
  pgvector: {
    ...{ card: 'postgres', credentials: ['PostgresApi'], addressFields: [] },
    inputs(address, tableName) {
      const { protocol, hostname, port, pathname, searchParams } = new URL(address)
      const database = decodeURIComponent(pathname.slice(1))
      if (!/^postgres(ql)?:$/.test(protocol) || hostname === '' || database === '')
        throw new Error('the address of pgvector is postgres://HOST:PORT/DATABASE')
      const ssl = /^(require|verify-ca|verify-full)$/.test(searchParams.get('sslmode') ?? '')
      return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || 5432, database, tableName, ssl }
    },
  },
}

/** The values of a credential with the address of its server, in the field that goes with its key. */
export function withAddress(
  { addressFields }: CheckableEngine,
  address: string,
  values: CredentialData,
): CredentialData {
  const field = 'username' in values ? addressFields.at(-1) : addressFields[0]
  return field === undefined ? values : { ...values, [field]: address }
}
