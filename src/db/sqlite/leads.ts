import type { LeadRow, LeadStore } from '../../contract/lead-store.ts'
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

export function leadStore(database: Database): LeadStore {
  return {
    async list(flowId) {
      const rows = database.reader.all(
        'SELECT * FROM leads WHERE flow_id = ? ORDER BY created_at, id',
        flowId,
      )
      return rows.map((row) => ({
        id: row.id as string,
        flowId: row.flow_id as string,
        chatId: row.chat_id as string,
        name: row.name as string | null,
        email: row.email as string | null,
        phone: row.phone as string | null,
        createdAt: row.created_at as number,
      }))
    },
    add: (lead) => database.write(addLead, lead),
  }
}
