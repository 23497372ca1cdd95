import { crc32 } from 'node:zlib'

/**
 * CRC-32 of the UTF-8 of a text or of bytes, and of a second part after it, as a signed number of 32 bits, which SQLite
 * stores in at most four bytes. It detects bytes that a disk has changed, but not a change on purpose.
 */
export function checksum(first: string | Uint8Array, second?: string | Uint8Array): number {
  const sum = crc32(first)
  return (second === undefined ? sum : crc32(second, sum)) | 0
}
