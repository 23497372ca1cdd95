export const SCOPES = ['upsert', 'query', 'predict', 'manage'] as const
export type KeyScope = (typeof SCOPES)[number]

/** An API key as it is kept: the key itself is not stored, only its SHA-256. */
export type ApiKeyRow = {
  id: string
  name: string
  hash: Uint8Array
  scopes: KeyScope[]
  /** Ids of the flows it opens besides those bound to it. */
  flows: string[]
  createdAt: number
  /** When it expires; null for a key that does not. Milliseconds, as all times here. */
  expiresAt: number | null
  /** When it was last used, to the minute. */
  lastUsedAt: number | null
}

export type ApiKeyStore = {
  list(): Promise<ApiKeyRow[]>
  findByHash(hash: Uint8Array): Promise<ApiKeyRow | undefined>
  find(id: string): Promise<ApiKeyRow | undefined>
  /**
   * @param bind ids of flows that are closed by this key from now on
   * @throws SluiceError `flow_not_found`, `flow_bound`; then no key is made
   */
  insert(key: ApiKeyRow, bind?: readonly string[]): Promise<void>
  update(key: ApiKeyRow): Promise<void>
  /** Notes that a key is used now; at most one write a minute for each key. A failure to write is ignored. */
  noteUse(id: string, now: number): void
  remove(id: string): Promise<boolean>
}

/** Whether a key has expired. */
export const isExpired = ({ expiresAt }: ApiKeyRow, now: number): boolean =>
  expiresAt !== null && expiresAt <= now
