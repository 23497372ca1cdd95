import type { JoinedEngine } from '../../contract/vector-engine.ts'
import type { ReplicaHomes } from './replica-homes.ts'

/**
 * The built-in engine over a ledger in PostgreSQL: it searches the replicas of this member, at the newest publication.
 *
 * @param noteAsked a question was asked of an index
 */
export function replicaEngine(homes: ReplicaHomes, noteAsked: (indexId: number) => void): JoinedEngine {
  return {
    name: homes.engine.name,
    capabilities: homes.engine.capabilities,

    search(collection, request) {
      noteAsked(Number(collection))
      return homes.use(Number(collection), (engine, here) => engine.search(here, request))
    },

    searchRanked(collection, request, ranking) {
      noteAsked(Number(collection))
      return homes.use(Number(collection), (engine, here) => engine.searchRanked!(here, request, ranking))
    },

    termFacts: (collection, request) =>
      homes.use(Number(collection), (engine, here) => engine.termFacts(here, request)),

    absentFields: async (collection, filter) =>
      (await homes.use(Number(collection), (engine, here) => engine.absentFields(here, filter))) ?? [],

    // A replica follows runs by their stored changes, not by the rows that a sweep deletes.
    async follow() {},

    prepare: (collection) => homes.use(Number(collection), (engine, here) => engine.prepare(here)),

    drop: (collection) => homes.drop(Number(collection)),
    memory: homes.memory,
    sweep() {},
    close: homes.close,
  }
}
