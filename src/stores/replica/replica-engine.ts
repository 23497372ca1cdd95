import type { JoinedEngine } from '../../contract/vector-engine.ts'
import type { Replica } from './replica.ts'

/** The built-in engine over a ledger in PostgreSQL: it searches the replica of this member, at the newest publication. */
export function replicaEngine(replica: Replica): JoinedEngine {
  const { engine } = replica
  return {
    name: engine.name,
    capabilities: engine.capabilities,

    async search(collection, request) {
      const here = await replica.collection(Number(collection))
      return here === undefined ? undefined : engine.search(here, request)
    },

    async searchRanked(collection, request, ranking) {
      const here = await replica.collection(Number(collection))
      return here === undefined ? undefined : engine.searchRanked!(here, request, ranking)
    },

    async absentFields(collection, filter) {
      const here = await replica.collection(Number(collection))
      return here === undefined ? [] : engine.absentFields(here, filter)
    },

    // A replica follows runs by their stored changes, not by the rows that a sweep deletes.
    async follow() {},

    async prepare(collection) {
      const here = await replica.collection(Number(collection))
      if (here !== undefined) await engine.prepare(here)
    },

    drop: (collection) => replica.drop(Number(collection)),
    memory: engine.memory,
    sweep() {},
    close: () => replica.close(),
  }
}
