import { createHash, hash, randomBytes, type BinaryLike } from 'node:crypto'

/** SHA-256 of a text's UTF-8 or of bytes, as lower-case hexadecimal. */
export function sha256(content: string | NodeJS.ArrayBufferView): string {
  return hash('sha256', content as BinaryLike as string, 'hex')
}

/**
 * 132 bits of SHA-256 as 22 characters of base64url. With 2^66 texts the chance of one collision is one half.
 */
export function fingerprint(content: string): string {
  return hash('sha256', content, 'base64url').slice(0, 22)
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

/** A text's SHA-256 in the form of a UUID, version 8 of RFC 9562 ("custom"): equal texts have equal ids. */
export function uuidOf(text: string): string {
  const bytes = hash('sha256', text, 'buffer').subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
