import type { ApiKeyRow, KeyScope } from '../../contract/api-key-store.ts'
import type { Pins } from '../../contract/fence.ts'
import type { DailyUse, Quotas } from '../../contract/quota.ts'
import type { StoredRow } from './stored-row.ts'

export function apiKeyFromRow(row: StoredRow): ApiKeyRow {
  return {
    id: row.id as string,
    name: row.name as string,
    hash: row.hash as Uint8Array,
    scopes: JSON.parse(row.scopes as string) as KeyScope[],
    flows: JSON.parse(row.flows as string) as string[],
    pins: JSON.parse(row.pins as string) as Pins,
    quotas: JSON.parse(row.quotas as string) as Quotas,
    createdAt: row.created_at as number,
    expiresAt: row.expires_at as number | null,
    lastUsedAt: row.last_used_at as number | null,
  }
}

/** The least time between two stored uses of a key, in milliseconds. */
export const KEY_USE_EVERY_MS = 60_000

/** The amounts of a day by the rows of the quotas of a key. */
export const dailyUseOf = (rows: readonly { quota: string; used: number }[]): DailyUse => ({
  bytes: 0,
  questions: 0,
  ...Object.fromEntries(rows.map(({ quota, used }) => [quota, used])),
})
