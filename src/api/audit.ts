import { z } from 'zod'
import { AUDIT_KINDS } from '../contract/audit-store.ts'
import { count, moment } from './json.ts'
import { pageQuery } from './paging.ts'

/** A row of the audit log. */
const entry = z.object({
  id: count,
  kind: z.enum(AUDIT_KINDS),
  at: moment,
  caller: z.string(),
  keyId: z.string().nullable(),
  method: z.string(),
  route: z.string(),
  object: z.string().nullable(),
  status: count,
  code: z.string().nullable(),
  address: z.string(),
  times: count,
})

export type AuditAnswer = z.output<typeof entry>

export const auditQuery = pageQuery.extend({ kind: z.enum(AUDIT_KINDS).optional() })

/** A page of the log, newest first; `total` counts the rows of all pages. */
export const auditLog = z.object({ entries: z.array(entry), total: count })
