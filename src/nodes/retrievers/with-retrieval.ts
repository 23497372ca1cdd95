import type { StorePart } from '../../contract/card.ts'
import type { RetrievalSettings } from '../../contract/retrieval.ts'

/** A store with other settings of a query. Those of another flow are changed when it is open. */
export function withRetrieval(
  part: StorePart,
  change: (own: RetrievalSettings) => RetrievalSettings,
): StorePart {
  const { open } = part
  return {
    ...part,
    retrieval: change(part.retrieval),
    ...(open ? { open: async () => withRetrieval(await open(), change) } : {}),
  }
}
