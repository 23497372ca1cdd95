import { type AuditEntry, type AuditRow, REFUSED } from '../../contract/audit-store.ts'
import type { StoredRow } from './stored-row.ts'

/** How many changes are kept, and how many reads and refusals: refusals never push changes out. */
export const AUDIT_ROWS = 10_000
/** How long rows are kept, in milliseconds: 180 days. */
export const AUDIT_MS = 180 * 86_400_000

/** The kind of a row, in SQL; see `auditKindOf`. */
export const AUDIT_KIND = `CASE WHEN status IN (${REFUSED.join(', ')}) THEN 'refusal' WHEN method IN ('GET', 'HEAD') THEN 'read' ELSE 'change' END`

/** An entry and how many equal calls it counts. */
export type CountedEntry = AuditEntry & { times: number }

export const auditFromRow = (row: StoredRow): AuditRow => ({
  id: row.id as number,
  at: row.at as number,
  caller: row.caller as string,
  keyId: row.key_id as string | null,
  method: row.method as string,
  route: row.route as string,
  object: row.object as string | null,
  status: row.status as number,
  code: row.code as string | null,
  address: row.address as string,
  times: row.times as number,
})
