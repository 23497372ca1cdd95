import { defineNode } from '../../cards/define-node.ts'
import { builtInEmbedder } from '../../embed/builtin.ts'

/** One for the whole process, so that the model is loaded once. */
export const sharedBuiltInEmbedder = builtInEmbedder()

export const builtInEmbeddings = defineNode({
  kind: 'embedder',
  name: 'builtInEmbeddings',
  label: 'Built-in Embeddings',
  version: 1,
  category: 'Embeddings',
  type: 'BuiltInEmbeddings',
  baseClasses: ['BuiltInEmbeddings', 'Embeddings'],
  description: 'The embedding model of this server. Needs no key and no network',
  fields: {},
  anchors: {},
  build: () => sharedBuiltInEmbedder,
})
