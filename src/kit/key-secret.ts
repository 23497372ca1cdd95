import { hash } from 'node:crypto'
import { randomToken } from './hash.ts'

/** A new API key and what is kept of it. The key is shown once and stored nowhere. */
export function newApiKey(): { apiKey: string; hash: Uint8Array } {
  const apiKey = `sl_${randomToken(32)}`
  return { apiKey, hash: apiKeyHash(apiKey) }
}

/** The 32 bytes by which a key is found again. */
export function apiKeyHash(apiKey: string): Uint8Array {
  // A slow hash protects secrets that can be guessed. A key is 256 random bits, so a fast one is enough.
  return new Uint8Array(hash('sha256', apiKey, 'buffer'))
}
