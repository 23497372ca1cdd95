import type { LeadRow } from '../../contract/lead-store.ts'
import type { StoredRow } from './stored-row.ts'

export const leadFromRow = (row: StoredRow): LeadRow => ({
  id: row.id as string,
  flowId: row.flow_id as string,
  chatId: row.chat_id as string,
  name: row.name as string | null,
  email: row.email as string | null,
  phone: row.phone as string | null,
  createdAt: row.created_at as number,
})
