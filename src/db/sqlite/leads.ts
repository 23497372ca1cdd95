import type { LeadRow, LeadStore } from '../../contract/lead-store.ts'
import { leadFromRow } from '../rows/lead.ts'
import type { Database } from './database.ts'
import type { Write } from './write.ts'

export const addLead: Write<LeadRow, void> = {
  name: 'addLead',
  grows: true,
  run(connection, { id, flowId, chatId, name, email, phone, createdAt }) {
    connection.run(
      'INSERT INTO leads (id, flow_id, chat_id, name, email, phone, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
      id,
      flowId,
      chatId,
      name,
      email,
      phone,
      createdAt,
    )
  },
}

export const removeLeadsBefore: Write<number, number> = {
  name: 'removeLeadsBefore',
  run: (connection, time) => connection.run('DELETE FROM leads WHERE created_at < ?', time),
}

export function leadStore(database: Database): LeadStore {
  return {
    async list(flowId) {
      const rows = database.reader.all(
        'SELECT * FROM leads WHERE flow_id = ? ORDER BY created_at, id',
        flowId,
      )
      return rows.map(leadFromRow)
    },
    add: (lead) => database.write(addLead, lead),
    removeBefore: (time) => database.write(removeLeadsBefore, time),
  }
}
