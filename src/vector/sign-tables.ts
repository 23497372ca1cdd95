import { quantise } from './quantise.ts'
import { TABLE_ENTRIES } from './sign-kernel.ts'

/** How many numbers a table is for. */
const SIGNS = 4

/** Bytes that the tables of a query take. */
export const tableBytes = (stride: number): number => (stride / SIGNS) * TABLE_ENTRIES

/** The most an entry may be: two of them make a byte, and one of each table together 16 bits. */
const largestEntry = (stride: number): number => Math.min(127, Math.floor((2 ** 16 - 1) / (stride / SIGNS)))

/**
 * Writes, for every four numbers of a query and each combination of four signs, how similar they are: the sum of the query's
 * small codes with these signs, shifted to begin at zero.
 */
export function writeSignTables(query: Float32Array, stride: number, tables: Uint8Array): void {
  const codes = new Int8Array(stride)
  const largest = Math.floor(largestEntry(stride) / (2 * SIGNS))
  quantise(query, codes, largest)
  for (let at = 0; at < stride; at += SIGNS)
    for (let signs = 0; signs < TABLE_ENTRIES; signs++) {
      let sum = largest * SIGNS
      for (let sign = 0; sign < SIGNS; sign++)
        sum += (signs >> sign) & 1 ? codes[at + sign]! : -codes[at + sign]!
      tables[(at / SIGNS) * TABLE_ENTRIES + signs] = sum
    }
}
