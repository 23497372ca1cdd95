/** A browser that is signed in to the studio. Only hashes (SHA-256, 32 bytes) of its tokens are stored. */
export type SessionRow = {
  id: string
  tokenHash: Uint8Array
  /** The token before the last rotation; null before the first. */
  previousHash: Uint8Array | null
  /** The API key that the session began with, and ends with; null for a sign-in by link or ADMIN_KEY. */
  keyId: string | null
  createdAt: number
  /** When it was last used, to the minute. */
  usedAt: number
  /** When the current token was issued. */
  rotatedAt: number
  /** When the current token was first used; null before that. Until then the previous token is accepted. */
  confirmedAt: number | null
}

/** Codes for one sign-in each, and sessions. All times are in milliseconds. */
export type SessionStore = {
  insertCode(hash: Uint8Array, expiresAt: number): Promise<void>
  /** Removes a code. Returns whether it was there and had not expired: of several calls with one code, one gets true. */
  takeCode(hash: Uint8Array, now: number): Promise<boolean>
  insert(row: SessionRow): Promise<void>
  find(id: string): Promise<SessionRow | undefined>
  /** The session whose current or previous token has this hash. */
  findByHash(hash: Uint8Array): Promise<SessionRow | undefined>
  /**
   * Gives a session a new token; `presented` becomes the previous one. Returns false where the session is gone or was
   * rotated since it was read.
   */
  rotate(session: SessionRow, presented: Uint8Array, token: Uint8Array, now: number): Promise<boolean>
  /** Records the first use of the current token; later uses change nothing. */
  confirm(id: string, now: number): Promise<void>
  /** Records when the session was last used. */
  noteUse(id: string, now: number): Promise<void>
  remove(id: string): Promise<void>
  /** Removes all sessions and codes. Returns the number of sessions. */
  removeAll(): Promise<number>
  /** Removes sessions that were created or last used before these times, and expired codes. */
  removeExpired(before: { createdAt: number; usedAt: number; now: number }): Promise<void>
}
