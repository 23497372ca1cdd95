import type { FlowStore } from '../../contract/flow-store.ts'
import { flowHeads, storedFlows } from '../repositories/flows.ts'
import type { Database } from './database.ts'
import {
  deletedBefore,
  hideFlow,
  listDeleted,
  readDeleted,
  restoreFlow,
  retireHidden,
} from './deleted-flows.ts'
import { HEADS } from './flow-heads.ts'
import type { Write } from './write.ts'

export const removeFlow: Write<string, boolean> = {
  name: 'removeFlow',
  run(connection, id) {
    connection.run('DELETE FROM upsert_history WHERE flow_id = ?', id)
    connection.run('DELETE FROM jobs WHERE flow_id = ?', id)
    connection.run('DELETE FROM failed_files WHERE flow_id = ?', id)
    retireHidden(connection, id)
    return connection.run('DELETE FROM flows WHERE id = ?', id) > 0
  },
}

export function flowStore(database: Database): FlowStore {
  const { reader } = database
  return {
    ...storedFlows(database.sql),
    heads: flowHeads(database.sql.reader, HEADS),
    async delete(deletion) {
      const hidden = await database.write(hideFlow, deletion)
      return hidden?.map(String)
    },
    restore: (idOrSlug, slug) => database.write(restoreFlow, { idOrSlug, slug }),
    deleted: async () => listDeleted(reader),
    findDeleted: async (idOrSlug) => readDeleted(reader, idOrSlug),
    deletedBefore: async (moment) => deletedBefore(reader, moment),
    remove: (id) => database.write(removeFlow, id),
  }
}
