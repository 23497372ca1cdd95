import type { JsonObject } from '../../src/kit/json.ts'
import { reference } from './flow-drawing.ts'

/** Flows that answer through a chat model: a scripted one, at the address that is given. */

const node = (id: string, name: string, inputs: JsonObject): JsonObject => ({
  id,
  data: { id, name, label: name, inputs },
})

const chatModel = (url: string, inputs: JsonObject) =>
  node('model', 'chatOpenAICustom', {
    modelName: 'scripted',
    basepath: `${url}/v1`,
    openAIApiKey: 'none',
    ...inputs,
  })

type Options = { model?: JsonObject }

/** A conversation with memory. */
export const conversationFlow = (url: string, { model = {} }: Options = {}): JsonObject => ({
  nodes: [
    chatModel(url, model),
    node('memory', 'bufferMemory', {}),
    node('chain', 'conversationChain', { model: reference('model'), memory: reference('memory') }),
  ],
  edges: [],
})

/** Answers from files that are loaded into it, and names them. */
export const documentFlow = (url: string): JsonObject => ({
  nodes: [
    chatModel(url, {}),
    node('loader', 'fileLoader', {}),
    node('embeddings', 'builtInEmbeddings', {}),
    node('store', 'builtInVectorStore', {
      document: [reference('loader')],
      embeddings: reference('embeddings'),
    }),
    node('chain', 'conversationalRetrievalQAChain', {
      model: reference('model'),
      vectorStoreRetriever: reference('store'),
      returnSourceDocuments: true,
    }),
  ],
  edges: [],
})

/** The part of a flow's row that lets callers override these inputs. */
export const overridable = (...names: string[]): JsonObject => ({
  overrideConfig: {
    status: true,
    nodes: { '*': names.map((name) => ({ name, label: name, type: 'string', enabled: true })) },
  },
})
