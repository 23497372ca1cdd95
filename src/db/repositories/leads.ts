import type { LeadRow, LeadStore } from '../../contract/lead-store.ts'
import type { SqlDatabase, SqlRow, SqlWrite } from '../sql/session.ts'
import { insertRow } from '../sql/statements.ts'

export const addLead: SqlWrite<LeadRow, void> = {
  name: 'addLead',
  grows: true,
  isOneStatement: true,
  async run(session, { id, flowId, chatId, name, email, phone, createdAt }) {
    await insertRow(session, 'leads', {
      ...{ id, flow_id: flowId, chat_id: chatId },
      ...{ name, email, phone, created_at: createdAt },
    })
  },
}

export const removeLeadsBefore: SqlWrite<number, number> = {
  name: 'removeLeadsBefore',
  isOneStatement: true,
  run: (session, time) => session.run('DELETE FROM leads WHERE created_at < ?', time),
}

export function leadStore({ reader, write }: SqlDatabase): LeadStore {
  return {
    async list(flowId) {
      const rows = await reader.all('SELECT * FROM leads WHERE flow_id = ? ORDER BY created_at, id', flowId)
      return rows.map(leadFromRow)
    },
    add: (lead) => write(addLead, lead),
    removeBefore: (time) => write(removeLeadsBefore, time),
  }
}

const leadFromRow = (row: SqlRow): LeadRow => ({
  id: row.id as string,
  flowId: row.flow_id as string,
  chatId: row.chat_id as string,
  name: row.name as string | null,
  email: row.email as string | null,
  phone: row.phone as string | null,
  createdAt: row.created_at as number,
})
