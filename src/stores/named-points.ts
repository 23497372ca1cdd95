import type { ChunkStore } from '../contract/chunk-store.ts'
import type { NamedChunks, NamedRequest } from '../contract/expected.ts'
import type { Ledger, LedgerIndex } from '../contract/ledger.ts'
import type { SearchRequest, TermFacts } from '../contract/search.ts'
import type { JoinedEngine, VectorEngine } from '../contract/vector-engine.ts'

/** The chunks under a name; a separate engine has their vectors, by the ids of the chunks. */
export async function namedPoints(
  { ledger, engine }: { ledger: Pick<Ledger, 'find' | 'named'>; engine: VectorEngine },
  namespace: string,
  what: NamedRequest,
): Promise<NamedChunks> {
  const found = await ledger.named(namespace, what)
  if (!what.vectors || !('upsert' in engine) || found.chunks.length === 0) return found
  const index = await ledger.find(namespace)
  if (index?.engine !== engine.name) return found
  const ids = found.chunks.map(({ id }) => id)
  const vectors = await engine.vectors(index.collection, ids)
  const chunks = found.chunks.map((chunk) => {
    const vector = vectors.get(chunk.id)
    return vector ? { ...chunk, vector } : chunk
  })
  return { ...found, chunks }
}

/** Searches until the searched index is the one that readers see. */
type Searched = (
  request: SearchRequest,
  search: (index: LedgerIndex) => Promise<TermFacts | undefined>,
) => Promise<TermFacts | undefined>

/** What the words of a separate engine are scored with, where another engine searches them. */
export const wordFacts = (
  words: JoinedEngine | undefined,
  searched: Searched,
): Pick<ChunkStore, 'termFacts'> =>
  words
    ? {
        termFacts: (request) => searched(request, ({ collection }) => words.termFacts(collection, request)),
      }
    : {}
