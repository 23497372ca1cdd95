import type { BatchLimits } from '../../embed/batches.ts'
import {
  cohereDialect,
  endpointDialect,
  huggingFaceDialect,
  jinaDialect,
  openAIDialect,
  voyageDialect,
} from '../../embed/dialects.ts'
import type { EmbedDialect } from '../../embed/table-embedder.ts'

/** Inputs that not every provider takes. */
export type EmbeddingInput = 'batchSize' | 'stripNewLines' | 'timeout' | 'dimensions' | 'inputType'

/** A provider of embeddings: its node, its address and key, its limits, and how it is asked. */
export type EmbeddingProvider = {
  /** The name of the node, its label, version and class in Flowise. */
  node: string
  label: string
  version: number
  type: string
  /** The name in messages, and in ids of vectors, which must not change. */
  provider: string
  id: string
  /** Where the provider describes its API. */
  docs: string
  /** The kind of credential, the value in it that is the key, and the one that may have another address, with Flowise's names. */
  credential: { kind: string; label: string; key: string; address?: string }
  baseURL: string
  /** The address is made of a resource, a deployment and a version, which are in the credential. */
  azure?: true
  /** The input that has another address; the dialect there, where it is another one. */
  addressInput?: string
  dialectThere?: EmbedDialect
  dialect: EmbedDialect
  /** The names of inputs that the node has under others than in `EmbeddingInput`. */
  names?: { dimensions?: string }
  /** The model of a new node, and the length of its vectors where the node sets one. */
  model?: string
  dimensions?: number
  inputs: readonly EmbeddingInput[]
  limits: BatchLimits
  /** The most tokens of a text by the name of the model, where that is known. */
  textTokens: (model: string) => number | undefined
  /** Its models, or `asked`: `GET /models` lists them. Absent: neither. */
  models?: readonly string[] | 'asked'
  /** The call that tests a credential, where a list of models does not: an address, or a body that is sent to the dialect's path. */
  keyTest?: { address: string; path: string } | { body: { model: string; input: string[] } }
}

/** All rows. A row is all that a provider needs. */
export const EMBEDDING_PROVIDERS: readonly EmbeddingProvider[] = [
  {
    node: 'azureOpenAIEmbeddings',
    label: 'Azure OpenAI Embeddings',
    version: 2,
    type: 'AzureOpenAIEmbeddings',
    provider: 'Azure OpenAI',
    id: 'azure-openai',
    docs: 'https://learn.microsoft.com/azure/ai-services/openai/reference',
    credential: { kind: 'azureOpenAIApi', label: 'Azure OpenAI API', key: 'azureOpenAIApiKey' },
    baseURL: 'https://openai.azure.com',
    azure: true,
    addressInput: 'basepath',
    dialect: openAIDialect,
    model: 'text-embedding-3-small',
    inputs: ['batchSize', 'timeout', 'dimensions'],
    limits: { texts: 256, bytes: 1_000_000, tokens: 250_000 },
    textTokens: () => 8191,
    models: ['text-embedding-3-large', 'text-embedding-3-small', 'text-embedding-ada-002'],
  },
  {
    node: 'cohereEmbeddings',
    label: 'Cohere Embeddings',
    version: 3,
    type: 'CohereEmbeddings',
    provider: 'Cohere',
    id: 'cohere',
    docs: 'https://docs.cohere.com/reference/embed',
    credential: { kind: 'cohereApi', label: 'Cohere API', key: 'cohereApiKey' },
    baseURL: 'https://api.cohere.com/v2',
    dialect: cohereDialect,
    model: 'embed-english-v3.0',
    inputs: ['inputType', 'dimensions'],
    limits: { texts: 96, bytes: 500_000, tokens: 100_000 },
    textTokens: (model) => (/v3\.0$/.test(model) ? 512 : undefined),
    models: [
      'embed-english-light-v3.0',
      'embed-english-v3.0',
      'embed-multilingual-light-v3.0',
      'embed-multilingual-v3.0',
      'embed-v4.0',
    ],
  },
  {
    node: 'huggingFaceInferenceEmbeddings',
    label: 'HuggingFace Inference Embeddings',
    version: 1,
    type: 'HuggingFaceInferenceEmbeddings',
    provider: 'Hugging Face',
    id: 'hugging-face',
    docs: 'https://huggingface.co/docs/inference-providers/tasks/feature-extraction',
    credential: { kind: 'huggingFaceApi', label: 'Hugging Face API', key: 'huggingFaceApiKey' },
    baseURL: 'https://router.huggingface.co/hf-inference',
    addressInput: 'endpoint',
    dialect: huggingFaceDialect,
    dialectThere: endpointDialect,
    model: 'BAAI/bge-base-en-v1.5',
    inputs: [],
    // text-embeddings-inference takes 32 texts unless its owner allows more.
    limits: { texts: 32, bytes: 200_000, tokens: 16_000 },
    textTokens: () => undefined,
    keyTest: { address: 'https://huggingface.co/api', path: '/whoami-v2' },
  },
  {
    node: 'jinaEmbeddings',
    label: 'Jina Embeddings',
    version: 3,
    type: 'JinaEmbeddings',
    provider: 'Jina AI',
    id: 'jina',
    docs: 'https://jina.ai/embeddings/',
    credential: { kind: 'jinaAIApi', label: 'Jina AI API', key: 'jinaAIAPIKey' },
    baseURL: 'https://api.jina.ai/v1',
    dialect: jinaDialect,
    names: { dimensions: 'modelDimensions' },
    model: 'jina-embeddings-v3',
    dimensions: 1024,
    inputs: ['dimensions'],
    limits: { texts: 128, bytes: 500_000, tokens: 100_000 },
    textTokens: (model) => (/-v4/.test(model) ? 32_768 : 8192),
    models: [
      'jina-embeddings-v2-base-code',
      'jina-embeddings-v2-base-en',
      'jina-embeddings-v3',
      'jina-embeddings-v4',
    ],
  },
  {
    node: 'mistralAIEmbeddings',
    label: 'MistralAI Embeddings',
    version: 2,
    type: 'MistralAIEmbeddings',
    provider: 'Mistral',
    id: 'mistral',
    docs: 'https://docs.mistral.ai/api/endpoint/embeddings',
    credential: { kind: 'mistralAIApi', label: 'Mistral API', key: 'mistralAIAPIKey' },
    baseURL: 'https://api.mistral.ai/v1',
    addressInput: 'overrideEndpoint',
    dialect: openAIDialect,
    model: 'mistral-embed',
    inputs: ['batchSize', 'stripNewLines'],
    // It takes 16,384 tokens in all texts of a call, and 8,192 in each.
    limits: { texts: 128, bytes: 200_000, tokens: 14_000 },
    textTokens: () => 8192,
    models: 'asked',
  },
  {
    node: 'togetherAIEmbedding',
    label: 'TogetherAIEmbedding',
    version: 1,
    type: 'TogetherAIEmbedding',
    provider: 'Together AI',
    id: 'together',
    docs: 'https://docs.together.ai/reference/embeddings',
    credential: { kind: 'togetherAIApi', label: 'Together AI API', key: 'togetherAIApiKey' },
    baseURL: 'https://api.together.xyz/v1',
    dialect: openAIDialect,
    inputs: [],
    limits: { texts: 64, bytes: 200_000, tokens: 30_000 },
    textTokens: () => undefined,
    models: 'asked',
  },
  {
    node: 'voyageAIEmbeddings',
    label: 'VoyageAI Embeddings',
    version: 2,
    type: 'VoyageAIEmbeddings',
    provider: 'Voyage AI',
    id: 'voyage',
    docs: 'https://docs.voyageai.com/reference/embeddings-api',
    credential: { kind: 'voyageAIApi', label: 'Voyage AI API', key: 'apiKey', address: 'endpoint' },
    baseURL: 'https://api.voyageai.com/v1',
    dialect: voyageDialect,
    model: 'voyage-3.5',
    inputs: ['dimensions'],
    // It takes 1,000 texts, and 120,000 tokens in all of them for the models with the lowest limit.
    limits: { texts: 256, bytes: 500_000, tokens: 100_000 },
    textTokens: (model) => (/law-2/.test(model) ? 16_000 : 32_000),
    models: [
      'voyage-3-large',
      'voyage-3.5',
      'voyage-3.5-lite',
      'voyage-code-3',
      'voyage-finance-2',
      'voyage-law-2',
    ],
    keyTest: { body: { model: 'voyage-3.5-lite', input: ['test'] } },
  },
]
