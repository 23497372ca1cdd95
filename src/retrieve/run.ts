import type { StorePart } from '../contract/card.ts'
import type { Candidate } from '../contract/chunk-store.ts'
import type { Document } from '../contract/document.ts'
import type { Filter } from '../contract/filter.ts'
import { SluiceError } from '../kit/errors.ts'
import { candidatesPerSide } from '../vector/fusion.ts'
import { type Mode, rankCandidates } from './rank.ts'

/** What the cosine counts for, the rest goes to the keywords; measured for the embedder in the box. */
const WEIGHT = 0.5

/** What a request asks; what it leaves out the store's card says. */
export type Asked = {
  topK?: number
  mode?: Mode
  filter?: Filter
  /** The least cosine of a chunk that is given. */
  minScore?: number
}

export type Retrieved = Document & {
  id: string
  /** Larger is better; comparable within one answer only. */
  score: number
  scores: { vector: number | null; keyword: number | null }
}

export type Retriever = {
  /** The matching chunks of each query, best first. @throws SluiceError `query_invalid`, `embedder_changed` */
  retrieve(
    part: StorePart,
    queries: readonly string[],
    asked?: Asked,
    signal?: AbortSignal,
  ): Promise<Retrieved[][]>
}

export function createRetriever(): Retriever {
  return {
    async retrieve(part, queries, asked = {}, signal) {
      const { store, embedder, retrieval } = part
      const { topK = retrieval.topK, mode = 'hybrid', minScore } = asked
      if (minScore !== undefined && mode === 'keyword') {
        throw new SluiceError('query_invalid', { reason: 'minScore is a cosine, and keyword mode has none' })
      }
      const built = await store.embedder()
      if (mode !== 'keyword' && built !== undefined && built !== embedder.id) {
        throw new SluiceError('embedder_changed', {
          namespace: store.namespace,
          was: built,
          now: embedder.id,
        })
      }
      const filter = both(retrieval.filter, asked.filter)

      return Promise.all(
        queries.map(async (query) => {
          const vector =
            mode === 'keyword' || built === undefined
              ? undefined
              : await embedder.embedQuery(query, signal ? { signal } : {})
          const candidates = await store.search({
            limit: candidatesPerSide(topK),
            ...(vector ? { vector } : {}),
            ...(mode === 'vector' ? {} : { text: query }),
            ...(filter ? { filter } : {}),
          })
          const fit =
            minScore === undefined
              ? candidates
              : candidates.filter(({ cosine }) => cosine !== null && cosine >= minScore)
          return rankCandidates(fit, mode, WEIGHT).slice(0, topK).map(present)
        }),
      )
    },
  }
}

/** The filter drawn in the flow is a fence: a request narrows it and never replaces it. */
function both(drawn: Filter | undefined, asked: Filter | undefined): Filter | undefined {
  return drawn && asked ? { op: 'and', all: [drawn, asked] } : (drawn ?? asked)
}

const present = ({ candidate, score }: { candidate: Candidate; score: number }): Retrieved => ({
  pageContent: candidate.pageContent,
  metadata: candidate.metadata,
  id: candidate.id,
  score,
  scores: { vector: candidate.cosine, keyword: candidate.keyword },
})
