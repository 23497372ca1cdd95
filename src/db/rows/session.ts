import type { SessionRow } from '../../contract/session-store.ts'
import type { StoredRow } from './stored-row.ts'

export const sessionFromRow = (row: StoredRow): SessionRow => ({
  id: row.id as string,
  tokenHash: row.token_hash as Uint8Array,
  previousHash: row.previous_hash as Uint8Array | null,
  keyId: row.key_id as string | null,
  createdAt: row.created_at as number,
  usedAt: row.used_at as number,
  rotatedAt: row.rotated_at as number,
  confirmedAt: row.confirmed_at as number | null,
})
