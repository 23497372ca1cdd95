import type { FlowStore } from '../../contract/flow-store.ts'
import { flowHeads, storedFlows } from '../repositories/flows.ts'
import type { PostgresDatabase } from './database.ts'
import { deletedFlows, retireHiddenIndexes } from './deleted-flows.ts'
import { FLOW_HEADS } from './flow-heads.ts'

export function postgresFlows(database: PostgresDatabase): FlowStore {
  const { reader, transaction } = database
  return {
    ...storedFlows(database.sql),
    ...deletedFlows(database),
    heads: flowHeads(reader, FLOW_HEADS),
    remove: (id) =>
      transaction(async (session) => {
        await session.run('DELETE FROM upsert_history WHERE flow_id = $1', id)
        await session.run('DELETE FROM jobs WHERE flow_id = $1', id)
        await session.run('DELETE FROM failed_files WHERE flow_id = $1', id)
        await session.run('DELETE FROM flow_turns WHERE flow_id = $1', id)
        await retireHiddenIndexes(session, id)
        return (await session.run('DELETE FROM flows WHERE id = $1', id)) > 0
      }),
  }
}
