/** Changes and reads of the management, and calls that were refused. */
export const AUDIT_KINDS = ['change', 'read', 'refusal'] as const
export type AuditKind = (typeof AUDIT_KINDS)[number]

/** What was called and what came of it. Never a body, a query string or a key. */
export type AuditEntry = {
  /** When it was answered, in milliseconds. */
  at: number
  /** The name of the key, `ADMIN_KEY`, or why there is none. */
  caller: string
  keyId: string | null
  method: string
  /** As it is declared: `/api/v1/chatflows/:id`. */
  route: string
  /** The id of what was changed or read, where the call names one. */
  object: string | null
  status: number
  /** The code of the failure. */
  code: string | null
  /** Where the call came from. */
  address: string
}

/** @property times how many equal calls the row stands for */
export type AuditRow = AuditEntry & { id: number; times: number }

export type AuditStore = {
  /**
   * Writes an entry soon: changes within 100 ms, a row each; reads and refusals within 10 s, equal ones as one row with
   * the time of the last. A failure to write is ignored.
   */
  note(entry: AuditEntry): void
  /** Newest first. */
  list(options: { kind?: AuditKind | undefined; offset: number; limit: number }): Promise<{
    rows: AuditRow[]
    total: number
  }>
  /** Writes all entries that wait. */
  flush(): Promise<void>
}

/** The statuses of refusals. */
export const REFUSED = [401, 403, 429]

export const auditKindOf = ({ status, method }: Pick<AuditEntry, 'status' | 'method'>): AuditKind =>
  REFUSED.includes(status) ? 'refusal' : method === 'GET' || method === 'HEAD' ? 'read' : 'change'
