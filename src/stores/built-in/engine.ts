import { METRICS } from '../../contract/retrieval.ts'
import { CHAT_ID_KEY } from '../../documents/conversation.ts'
import type { JoinedEngine } from '../../contract/vector-engine.ts'
import type { Database } from '../../db/sqlite/database.ts'
import { createImages, type ImagesOptions } from './images.ts'
import { builtInSearch } from './search.ts'
import { SourceHeads } from './source-heads.ts'

/** Stored with every index that has its points here. */
export const BUILT_IN = 'built-in'

/**
 * The vector engine in the database of the ledger: vectors and terms are rows beside the chunks, written in the same
 * transactions; searches scan images in memory that follow each publication.
 */
export function builtInEngine(database: Database, options?: ImagesOptions): JoinedEngine {
  const { reader } = database
  const images = createImages(database, options)
  const memory = { reader, images, heads: new SourceHeads(reader) }
  return {
    name: BUILT_IN,
    capabilities: {
      keywords: true,
      metrics: METRICS,
      filters: true,
      ranksEarly: true,
      spelling: true,
      commitsWithLedger: true,
    },

    async search(collection, request) {
      return (await builtInSearch(memory, Number(collection), request))?.candidates
    },

    async searchRanked(collection, request, ranking) {
      const answer = await builtInSearch(memory, Number(collection), request, ranking)
      if (!answer) return undefined
      const { candidates, scores, ...rest } = answer
      return { ranked: candidates.map((candidate, at) => ({ candidate, score: scores[at]! })), ...rest }
    },

    async absentFields(collection, filter) {
      const image = await images.metadata(Number(collection), filter)
      // The answer must not show whether there are conversations of others.
      return image.absent(filter).filter((field) => field !== CHAT_ID_KEY)
    },

    follow: (collection) => images.follow(Number(collection)),

    async drop(collection) {
      images.drop(Number(collection))
    },

    memory: images.memory,
    sweep: () => images.sweep(),
    close: () => images.close(),
  }
}
