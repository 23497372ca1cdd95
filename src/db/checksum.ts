import { crc32 } from 'node:zlib'

/**
 * CRC-32 of the UTF-8 of a text or of bytes, and of more parts after it, as a signed number of 32 bits, which SQLite
 * stores in at most four bytes. It detects bytes that a disk has changed, but not a change on purpose.
 */
export function checksum(first: string | Uint8Array, ...more: readonly (string | Uint8Array)[]): number {
  return more.reduce<number>((sum, part) => crc32(part, sum), crc32(first)) | 0
}
