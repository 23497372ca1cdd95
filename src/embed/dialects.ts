import { isObject, type JsonObject } from '../kit/json.ts'
import { dataVectors, type EmbedDialect } from './table-embedder.ts'

/* How providers are asked for vectors, after their descriptions of their APIs. */

const defined = (body: Record<string, unknown>): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as JsonObject

/** That of OpenAI, which several have: `{model, input, dimensions}`. */
export const openAIDialect: EmbedDialect = {
  path: () => '/embeddings',
  body: ({ model, texts, dimensions }) => defined({ model, input: [...texts], dimensions }),
  vectors: dataVectors,
}

/** Cohere's second version. Without `truncate: NONE` it cuts long texts without a word. */
export const cohereDialect: EmbedDialect = {
  path: () => '/embed',
  body: ({ model, texts, purpose, dimensions, options: { inputType = '' } }) =>
    defined({
      model,
      texts: [...texts],
      input_type: /^search_|^$/.test(inputType) ? `search_${purpose}` : inputType,
      embedding_types: ['float'],
      truncate: 'NONE',
      output_dimension: dimensions,
    }),
  vectors: (answer) => {
    const embeddings = isObject(answer) ? answer.embeddings : undefined
    return isObject(embeddings) && Array.isArray(embeddings.float) ? embeddings.float : undefined
  },
}

/** Voyage AI's. Without `truncation: false` it cuts long texts without a word. */
export const voyageDialect: EmbedDialect = {
  path: () => '/embeddings',
  body: ({ model, texts, purpose, dimensions }) =>
    defined({
      model,
      input: [...texts],
      input_type: purpose,
      truncation: false,
      output_dimension: dimensions,
    }),
  vectors: dataVectors,
}

/** Models of Jina AI that have one vector for documents and questions alike, and of one length. */
const JINA_PLAIN = /-v[12]-|-v1$|clip/

/** Jina AI's: OpenAI's, and the task, which the newer models have. */
export const jinaDialect: EmbedDialect = {
  path: () => '/embeddings',
  body: ({ model, texts, purpose, dimensions }) =>
    defined({
      model,
      input: [...texts],
      ...(JINA_PLAIN.test(model)
        ? {}
        : { task: purpose === 'query' ? 'retrieval.query' : 'retrieval.passage', dimensions }),
    }),
  vectors: dataVectors,
}

/** Feature extraction of Hugging Face; an own endpoint is called as it stands. */
export const huggingFaceDialect: EmbedDialect = {
  path: (model) =>
    `/models/${model.split('/').map(encodeURIComponent).join('/')}/pipeline/feature-extraction`,
  body: ({ texts }) => ({ inputs: [...texts] }),
  vectors: (answer) => answer,
}

/** An own endpoint of Hugging Face, or a server of text-embeddings-inference. */
export const endpointDialect: EmbedDialect = { ...huggingFaceDialect, path: () => '' }
