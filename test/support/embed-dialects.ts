import type { Egress, EgressFetch } from '../../src/kit/egress/client.ts'
import type { JsonObject } from '../../src/kit/json.ts'

/** How a provider of embeddings is asked and answers, after its description of its API. */
export type EmbedProtocol = {
  name: string
  /** The host and the path, as the server of the tests is asked for them. */
  path: RegExp
  /** The texts of a call that is made right; undefined for any other. */
  read(body: Record<string, unknown>, path: string): unknown
  answer(vectors: number[][], body: Record<string, unknown>, order: number[]): object
  error(message: string): object
}

const rows = (vectors: number[][], order: number[]) =>
  order.map((index) => ({ object: 'embedding', index, embedding: vectors[index] }))

const only = (body: object, ...names: string[]) => Object.keys(body).every((name) => names.includes(name))

const isLength = (value: unknown) => value === undefined || Number.isInteger(value)

const listOf = (value: unknown, most: number) =>
  Array.isArray(value) && value.length <= most ? value : undefined

/** OpenAI's protocol as providers have it that do not know all of it: nothing but model and texts, and the length of a vector. */
const plain = (name: string, path: RegExp, most: number): EmbedProtocol => ({
  name,
  path,
  read: ({ model, input, dimensions, ...rest }) =>
    typeof model === 'string' && isLength(dimensions) && only(rest) ? listOf(input, most) : undefined,
  answer: (vectors, { model }, order) => ({ object: 'list', data: rows(vectors, order), model }),
  error: (message) => ({ message }),
})

export const EMBED_DIALECTS: readonly EmbedProtocol[] = [
  plain('azure', /^\/our-resource\.openai\.azure\.com\/openai\/deployments\/[\w-]+\/embeddings$/, 2048),
  plain('mistral', /^\/api\.mistral\.ai\/v1\/embeddings$/, 128),
  plain('together', /^\/api\.together\.xyz\/v1\/embeddings$/, 64),
  {
    name: 'cohere',
    path: /^\/api\.cohere\.com\/v2\/embed$/,
    read: ({ model, texts, input_type, embedding_types, truncate, output_dimension, ...rest }) =>
      typeof model === 'string' &&
      ['search_document', 'search_query', 'classification', 'clustering'].includes(String(input_type)) &&
      JSON.stringify(embedding_types) === '["float"]' &&
      truncate === 'NONE' &&
      isLength(output_dimension) &&
      only(rest)
        ? listOf(texts, 96)
        : undefined,
    answer: (float, { texts }) => ({ id: 'x', texts, embeddings: { float }, meta: {} }),
    error: (message) => ({ id: 'x', message }),
  },
  {
    name: 'voyage',
    path: /^\/api\.voyageai\.com\/v1\/embeddings$/,
    read: ({ model, input, input_type, truncation, output_dimension, ...rest }) =>
      typeof model === 'string' &&
      ['query', 'document'].includes(String(input_type)) &&
      truncation === false &&
      isLength(output_dimension) &&
      only(rest)
        ? listOf(input, 1000)
        : undefined,
    answer: (vectors, { model }, order) => ({
      object: 'list',
      data: rows(vectors, order),
      model,
      usage: { total_tokens: 1 },
    }),
    error: (detail) => ({ detail }),
  },
  {
    name: 'jina',
    path: /^\/api\.jina\.ai\/v1\/embeddings$/,
    read: ({ model, input, task, dimensions, ...rest }) =>
      typeof model === 'string' &&
      (/-v2-/.test(model)
        ? task === undefined && dimensions === undefined
        : ['retrieval.query', 'retrieval.passage'].includes(String(task))) &&
      isLength(dimensions) &&
      only(rest)
        ? listOf(input, 512)
        : undefined,
    answer: (vectors, { model }, order) => ({ model, object: 'list', data: rows(vectors, order) }),
    error: (detail) => ({ detail }),
  },
  {
    name: 'hugging-face',
    path: /^\/router\.huggingface\.co\/hf-inference\/models\/[\w.-]+(\/[\w.-]+)?\/pipeline\/feature-extraction$/,
    read: ({ inputs, ...rest }) => (only(rest) ? listOf(inputs, 32) : undefined),
    answer: (vectors) => vectors,
    error: (error) => ({ error }),
  },
  {
    name: 'hugging-face endpoint',
    path: /^\/endpoint\.example\/$/,
    read: ({ inputs, ...rest }) => (only(rest) ? listOf(inputs, 32) : undefined),
    answer: (vectors) => vectors,
    error: (error) => ({ error }),
  },
]

/** The address of each node of a provider, and what a call for documents and one for a question have besides texts and model. */
export const EMBED_CALLS: Readonly<
  Record<string, [address: string, document: JsonObject, query: JsonObject]>
> = {
  azureOpenAIEmbeddings: [
    'https://our-resource.openai.azure.com/openai/deployments/ada/embeddings?api-version=2024-10-21',
    {},
    {},
  ],
  cohereEmbeddings: [
    'https://api.cohere.com/v2/embed',
    { input_type: 'search_document', truncate: 'NONE' },
    { input_type: 'search_query', truncate: 'NONE' },
  ],
  huggingFaceInferenceEmbeddings: [
    'https://router.huggingface.co/hf-inference/models/BAAI/bge-base-en-v1.5/pipeline/feature-extraction',
    {},
    {},
  ],
  jinaEmbeddings: [
    'https://api.jina.ai/v1/embeddings',
    { task: 'retrieval.passage', dimensions: 8 },
    { task: 'retrieval.query', dimensions: 8 },
  ],
  mistralAIEmbeddings: ['https://api.mistral.ai/v1/embeddings', {}, {}],
  togetherAIEmbedding: ['https://api.together.xyz/v1/embeddings', {}, {}],
  voyageAIEmbeddings: [
    'https://api.voyageai.com/v1/embeddings',
    { input_type: 'document', truncation: false },
    { input_type: 'query', truncation: false },
  ],
}

/** A way out to the scripted server in the place of every host; the server is asked for `/HOST/PATH`. */
export function egressTo(server: string, addresses: string[] = []): Egress {
  const call: EgressFetch = (input, init) => {
    const { host, pathname, search, href } = new URL(String(input))
    addresses.push(href)
    return fetch(`${server}/${host}${pathname}${search}`, init)
  }
  const egress: Egress = {
    fetch: call,
    limited: () => call,
    socket: () => {
      throw new Error('no socket is needed')
    },
    forProvider: () => egress,
    forMcp: () => egress,
    checkPlace: () => {},
    close: async () => {},
  }
  return egress
}
