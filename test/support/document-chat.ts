const instance = (id: string) => `{{${id}.data.instance}}`
const node = (id: string, name: string, inputs: object) => ({ id, data: { id, name, label: name, inputs } })

/** A chain over a text of its own that answers with its sources; its model has OpenAI's protocol. */
export const drawDocumentChat = (modelUrl: string) => ({
  nodes: [
    node('text_0', 'plainText', { text: 'Otters hold hands while they sleep.' }),
    node('embeddings_0', 'builtInEmbeddings', {}),
    node('store_0', 'builtInVectorStore', {
      document: [instance('text_0')],
      embeddings: instance('embeddings_0'),
    }),
    node('model_0', 'chatOpenAICustom', {
      modelName: 'scripted',
      basepath: `${modelUrl}/v1`,
      openAIApiKey: 'none',
    }),
    node('chain_0', 'conversationalRetrievalQAChain', {
      model: instance('model_0'),
      vectorStoreRetriever: instance('store_0'),
      returnSourceDocuments: true,
    }),
  ],
  edges: [],
})
