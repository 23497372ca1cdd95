import { hash } from 'node:crypto'
import { randomToken } from './hash.ts'

/** A new API key and its stored parts. The key is shown once and not stored. */
export function newApiKey(): { apiKey: string; hash: Uint8Array } {
  const apiKey = `sl_${randomToken(32)}`
  return { apiKey, hash: secretHash(apiKey) }
}

/**
 * SHA-256 of a key or token, 32 bytes: this is stored and looked up. Only for secrets of 256 random bits: a secret that can
 * be guessed needs a slow hash.
 */
export function secretHash(secret: string): Uint8Array {
  return new Uint8Array(hash('sha256', secret, 'buffer'))
}
