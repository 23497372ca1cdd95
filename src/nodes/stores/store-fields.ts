import { anchor, anchors } from '../../cards/anchors.ts'
import type { StorePart } from '../../contract/card.ts'
import type { ChunkStore } from '../../contract/chunk-store.ts'
import type { Embedder } from '../../contract/embedder.ts'
import { textField } from '../../cards/field.ts'
import type { Loader } from '../../contract/loader.ts'
import type { RecordManager } from '../../contract/record-manager.ts'
import type { RetrievalSettings } from '../../contract/retrieval.ts'

/** The namespace of a store. Its name is the same on every card, so that a flow keeps its chunks when it takes another store. */
export const namespaceField = textField('Namespace', undefined, {
  description:
    'Flows with the same namespace share their chunks. Default: a namespace of its own for each flow',
  guard: 'table',
})

/** What plugs into every vector store. */
export const storeAnchors = {
  document: anchors('loader', 'Document', 'Document'),
  embeddings: anchor('embedder', 'Embeddings', 'Embeddings'),
  recordManager: anchor('recordManager', 'Record Manager', 'RecordManager', { optional: true }),
  reranker: anchor('reranker', 'Reranker', 'Reranker', { optional: true }),
}

type Plugged = {
  document: Loader[]
  embeddings: Embedder | undefined
  recordManager: RecordManager | undefined
}

/** The store of a node with the parts that plug into it. @param open the store of a namespace */
export function storePart(
  { namespace, parts, flowId }: { namespace: string | undefined; parts: Plugged; flowId: string },
  open: (namespace: string) => ChunkStore,
  retrieval: RetrievalSettings,
): StorePart {
  const { document, embeddings, recordManager } = parts
  return {
    store: open(namespace ?? recordManager?.namespace ?? flowId),
    embedder: embeddings!,
    loaders: document,
    ...(recordManager ? { recordManager } : {}),
    retrieval,
  }
}
