/** Kinds of rows: changes and reads by management calls, and refused calls. */
export const AUDIT_KINDS = ['change', 'read', 'refusal'] as const
export type AuditKind = (typeof AUDIT_KINDS)[number]

/** A call and its outcome, without body, query string and key. */
export type AuditEntry = {
  /** When it was answered, in milliseconds. */
  at: number
  /** The name of the key, `ADMIN_KEY`, or why there is none. */
  caller: string
  keyId: string | null
  method: string
  /** The route pattern: `/api/v1/chatflows/:id`. */
  route: string
  /** The id of the changed or read object, where the call has one. */
  object: string | null
  status: number
  /** The code of the failure. */
  code: string | null
  /** The IP address of the client. */
  address: string
}

/** @property times the number of equal calls that the row counts */
export type AuditRow = AuditEntry & { id: number; times: number }

export type AuditStore = {
  /**
   * Queues an entry: changes are written within 100 ms, one row each; reads and refusals within 10 s, equal ones as one row
   * with the time of the last. A failed write is ignored.
   */
  note(entry: AuditEntry): void
  /** Newest first. */
  list(options: { kind?: AuditKind | undefined; offset: number; limit: number }): Promise<{
    rows: AuditRow[]
    total: number
  }>
  /** Writes all queued entries. */
  flush(): Promise<void>
}

/** The statuses of refusals. */
export const REFUSED = [401, 403, 429]
