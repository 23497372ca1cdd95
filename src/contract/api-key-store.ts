import type { Pins } from './fence.ts'
import type { DailyUse, QuotaRequest, Quotas } from './quota.ts'

export const SCOPES = ['upsert', 'query', 'predict', 'manage'] as const
export type KeyScope = (typeof SCOPES)[number]

/** A stored API key. Of the key itself only the SHA-256 is stored. */
export type ApiKeyRow = {
  id: string
  name: string
  hash: Uint8Array
  scopes: KeyScope[]
  /** Ids of flows that the key may use besides the flows bound to it. */
  flows: string[]
  /** Metadata that limit the key to its own documents; empty for none. They never change. */
  pins: Pins
  quotas: Quotas
  createdAt: number
  /** Milliseconds since 1970, as all times here; null for a key that does not expire. */
  expiresAt: number | null
  /** When the key was last used, to the minute. */
  lastUsedAt: number | null
}

export type ApiKeyStore = {
  list(): Promise<ApiKeyRow[]>
  findByHash(hash: Uint8Array): Promise<ApiKeyRow | undefined>
  find(id: string): Promise<ApiKeyRow | undefined>
  /**
   * @param bind ids of flows that need this key from now on
   * @throws SluiceError `flow_not_found`, `flow_bound`; then no key is made
   */
  insert(key: ApiKeyRow, bind?: readonly string[]): Promise<void>
  /** Changes everything but the key itself. */
  update(key: ApiKeyRow): Promise<void>
  /** Replaces the key itself: from now on the old one is unknown. Returns whether the row was there. */
  rotate(id: string, hash: Uint8Array): Promise<boolean>
  /** Records that a key is used now: at most one write per minute and key. A failed write is ignored. */
  noteUse(id: string, now: number): void
  remove(id: string): Promise<boolean>
  /**
   * Counts an amount, unless the key has less left on that day: calls at the same time, also on other members, never use more
   * than `max` together. Resolves with what is used after it.
   */
  take(request: QuotaRequest): Promise<{ used: number; isRefused: boolean }>
  /** What a key has used on a day. */
  used(id: string, day: number): Promise<DailyUse>
}
