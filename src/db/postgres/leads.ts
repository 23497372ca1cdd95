import type { LeadStore } from '../../contract/lead-store.ts'
import { leadFromRow } from '../rows/lead.ts'
import type { PostgresDatabase } from './database.ts'

export function postgresLeads({ reader, writer }: PostgresDatabase): LeadStore {
  return {
    async list(flowId) {
      const rows = await reader.all('SELECT * FROM leads WHERE flow_id = $1 ORDER BY created_at, id', flowId)
      return rows.map(leadFromRow)
    },
    async add({ id, flowId, chatId, name, email, phone, createdAt }) {
      await writer.run(
        `INSERT INTO leads (id, flow_id, chat_id, name, email, phone, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        id,
        flowId,
        chatId,
        name,
        email,
        phone,
        createdAt,
      )
    },
    removeBefore: (time) => writer.run('DELETE FROM leads WHERE created_at < $1', time),
  }
}
