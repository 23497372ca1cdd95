import { hash } from 'node:crypto'
import { randomToken } from './hash.ts'

/** A new API key and what is kept of it. The key is shown once and stored nowhere. */
export function newApiKey(): { apiKey: string; hash: Uint8Array } {
  const apiKey = `sl_${randomToken(32)}`
  return { apiKey, hash: secretHash(apiKey) }
}

/**
 * SHA-256 of a key or token, 32 bytes: what is stored and looked up. Only for secrets of 256 random bits; one that can be
 * guessed would need a slow hash.
 */
export function secretHash(secret: string): Uint8Array {
  return new Uint8Array(hash('sha256', secret, 'buffer'))
}
