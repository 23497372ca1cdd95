import { defineNode } from '../../cards/define-node.ts'
import type { ChunkStore } from '../../contract/chunk-store.ts'
import type { Embedder } from '../../contract/embedder.ts'
import { SluiceError } from '../../kit/errors.ts'
import { listStores, selectedStoreField, selectedStoreOf } from './selected-store.ts'

export const documentStoreVS = defineNode({
  kind: 'vectorStore',
  name: 'documentStoreVS',
  label: 'Document Store (Vector)',
  version: 1,
  category: 'Vector Stores',
  type: 'DocumentStoreVS',
  baseClasses: ['DocumentStoreVS', 'VectorStoreRetriever', 'BaseRetriever'],
  description: 'Searches a document store with its own embeddings, vector store and settings',
  fields: { selectedStore: selectedStoreField },
  anchors: {},
  lists: { listStores },
  build({ values: { selectedStore } }, context) {
    const { flowStores, openStore, openSeparateStore } = context
    const id = selectedStoreOf(selectedStore, context)
    return {
      store: elsewhere<ChunkStore>(id),
      embedder: elsewhere<Embedder>(id),
      loaders: [],
      // Those of the store count, once it is open.
      retrieval: { topK: 4, searchType: 'similarity' },
      open: () => flowStores.open(id, { openStore, openSeparateStore }),
    }
  },
})

/** Stands for a part of a store that is only read through that store: its documents are listed and changed there. */
const elsewhere = <Part extends object>(store: string): Part =>
  new Proxy({} as Part, {
    get(_, name) {
      // Whoever looks whether it is a promise, or prints it, uses nothing.
      if (name === 'then' || typeof name === 'symbol') return undefined
      throw new SluiceError('flow_cannot_query', {
        reason: `its documents are those of the document store ${store}`,
        hint: `List, load and change them in the store: name ${store} in place of this flow`,
      })
    },
  })
