import { defineNode } from '../../contract/card.ts'
import { builtInEmbedder } from '../../embed/builtin.ts'

/** One for the whole process: the model is read once, whoever uses it. */
export const sharedBuiltInEmbedder = builtInEmbedder()

export const builtInEmbeddings = defineNode({
  kind: 'embedder',
  name: 'builtInEmbeddings',
  label: 'Built-in Embeddings',
  version: 1,
  category: 'Embeddings',
  type: 'BuiltInEmbeddings',
  baseClasses: ['BuiltInEmbeddings', 'Embeddings'],
  description: 'The model in the box: no key, no network',
  fields: {},
  anchors: {},
  build: () => sharedBuiltInEmbedder,
})
