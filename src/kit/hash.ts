import { createHash, hash, randomBytes, type BinaryLike } from 'node:crypto'

/** SHA-256 of a text's UTF-8 or of bytes, as lower-case hexadecimal. */
export function sha256(content: string | NodeJS.ArrayBufferView): string {
  return hash('sha256', content as BinaryLike as string, 'hex')
}

/**
 * The first 16 bytes of SHA-256: a fingerprint that two different texts never share by chance
 * (2^64 texts for an even chance of one clash).
 */
export function fingerprint(content: string): Uint8Array {
  return hash('sha256', content, 'buffer').subarray(0, 16)
}

/** SHA-256 of a stream of bytes, as lower-case hexadecimal. */
export async function sha256Stream(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const digest = createHash('sha256')
  for await (const chunk of chunks) digest.update(chunk)
  return digest.digest('hex')
}

/** A version-4 UUID (RFC 9562), unguessable. */
export const randomId = (): string => crypto.randomUUID()

/** `bytes` random bytes as base64url text. */
export const randomToken = (bytes = 32): string => randomBytes(bytes).toString('base64url')

/** Sixteen bytes written as a UUID; version 8 of RFC 9562 ("custom") is stamped on them. */
export function uuidOf(bytes: Uint8Array): string {
  const copy = Uint8Array.from(bytes.subarray(0, 16))
  copy[6] = (copy[6]! & 0x0f) | 0x80
  copy[8] = (copy[8]! & 0x3f) | 0x80
  const hex = Buffer.from(copy).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
