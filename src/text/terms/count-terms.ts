import { TermReader } from './terms.ts'

let counts = new Map<number, number>()
let length = 0
const reader = new TermReader((term) => {
  counts.set(term, (counts.get(term) ?? 0) + 1)
  length++
})

/** How often each term occurs in a passage, and how many terms it has, as the index counts them. */
export function countPassageTerms(passage: string): { counts: Map<number, number>; length: number } {
  counts = new Map()
  length = 0
  reader.read(passage)
  return { counts, length }
}
