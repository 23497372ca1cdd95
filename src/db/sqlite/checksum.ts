import { crc32 } from 'node:zlib'

/**
 * CRC-32 of the UTF-8 of texts and of bytes, one after another, as a signed number of 32 bits, which SQLite stores in at
 * most four bytes. It sees bytes that a disk has changed; it does not protect against a person.
 */
export const checksum = (...parts: readonly (string | Uint8Array)[]): number =>
  parts.reduce((sum: number, part) => crc32(part, sum), 0) | 0
