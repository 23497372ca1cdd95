import type { ApiKeyRow } from '../contract/api-key-store.ts'

/** Whether a key has expired. */
export const isExpired = ({ expiresAt }: ApiKeyRow, now: number): boolean =>
  expiresAt !== null && expiresAt <= now
