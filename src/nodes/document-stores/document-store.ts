import type { ChunkStore } from '../../contract/chunk-store.ts'
import type { LoaderItem } from '../../contract/loader.ts'
import { loaderCard } from '../loaders/loader-card.ts'
import { listStores, selectedStoreField, selectedStoreOf } from './selected-store.ts'

/** How many documents, and how many chunks of one, are read at once. */
const PAGE = 200

export const documentStoreLoader = loaderCard({
  name: 'documentStore',
  label: 'Document Store',
  version: 1,
  description: 'The chunks of a document store, with the changes that were made to them there',
  fields: { selectedStore: selectedStoreField },
  lists: { listStores },
  yieldsChunks: true,
  sources({ selectedStore }, context) {
    const { flowStores, openStore, openSeparateStore } = context
    const id = selectedStoreOf(selectedStore, context)
    return {
      async *items() {
        const { store } = await flowStores.open(id, { openStore, openSeparateStore })
        for (let offset = 0; ; offset += PAGE) {
          const { rows } = await store.sources({ offset, limit: PAGE })
          for (const { source } of rows) yield storedDocument(store, source)
          if (rows.length < PAGE) return
        }
      },
    }
  },
})

/** A document of a store: each of its chunks is one of the loader. */
const storedDocument = (store: ChunkStore, source: string): LoaderItem => ({
  name: source,
  source,
  async *read() {
    for (let offset = 0; ; offset += PAGE) {
      const { rows } = await store.chunks({ source, offset, limit: PAGE })
      const parts = rows.map(({ pageContent, metadata }) => ({ pageContent, metadata, last: true }))
      yield { parts, notes: [] }
      if (rows.length < PAGE) return
    }
  },
})
