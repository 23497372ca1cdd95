import { type AuditEntry, type AuditKind, REFUSED } from '../contract/audit-store.ts'

/** The kind of a call in the audit log, by its outcome. */
export const auditKindOf = ({ status, method }: Pick<AuditEntry, 'status' | 'method'>): AuditKind =>
  REFUSED.includes(status) ? 'refusal' : method === 'GET' || method === 'HEAD' ? 'read' : 'change'
