import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Metadata } from '../contract/document.ts'
import { parseFilter } from './filter.ts'
import { matches } from './matches.ts'
import { MetadataColumns, pathsOf } from './metadata-columns.ts'

const FILTERS = [
  { n: 3 },
  { n: { $gte: 2, $lt: 5 } },
  { n: { $in: [1, '3'] } },
  { n: { $ne: 3 } },
  { n: { $exists: false } },
  { 'loc.page': 2 },
  { loc: { page: 2 } },
  { tags: { $contains: 'red' } },
  { $or: [{ n: 0 }, { tags: { $exists: true } }] },
  { $and: [{ n: { $gt: 0 } }, { $not: { 'loc.page': 1 } }] },
  { $not: { $or: [{ n: 1 }, { n: 2 }] } },
  { $and: [] },
  { $or: [] },
  { unheard: { $nin: [1] } },
].map((raw) => parseFilter(raw))

const PATHS = FILTERS.flatMap(pathsOf)

const metadataOf = (chunk: number): Metadata => ({
  ...(chunk % 5 === 4 ? {} : { n: chunk % 7 === 0 ? '3' : chunk % 6 }),
  loc: { page: chunk % 3 },
  ...(chunk % 4 === 0 ? { tags: ['red', chunk] } : {}),
})

/** Three chunks of one owner follow one another. */
const ownerOf = (chunk: number) => 1000 + Math.floor(chunk / 3)

function ownersByMatching(chunks: Iterable<number>, filter: (typeof FILTERS)[number]): number[] {
  const found = [...chunks].filter((chunk) => matches(filter, metadataOf(chunk))).map(ownerOf)
  return [...new Set(found)].sort((a, b) => a - b)
}

test('MetadataColumns finds whose chunks meet a filter, as matches() does, after removals too', () => {
  const columns = new MetadataColumns(PATHS)
  const chunks = new Set<number>()
  const add = (from: number, to: number) => {
    for (let chunk = from; chunk < to; chunk += 2) {
      columns.add(chunk, ownerOf(chunk), metadataOf(chunk))
      chunks.add(chunk)
    }
  }
  const check = () => {
    for (const filter of FILTERS)
      assert.deepEqual(
        [...columns.owners(filter)].sort((a, b) => a - b),
        ownersByMatching(chunks, filter),
        JSON.stringify(filter),
      )
  }
  check()
  add(10, 4000)
  check()
  for (const chunk of [...chunks]) {
    if (chunk % 10 === 0 || chunk > 3500) continue
    columns.remove(chunk)
    columns.remove(chunk + 1)
    columns.remove(chunk)
    chunks.delete(chunk)
  }
  check()
  add(4000, 4600)
  check()
})

test('MetadataColumns says which filters it covers', () => {
  const columns = new MetadataColumns([['n'], ['loc', 'page']])
  assert.equal(columns.covers(parseFilter({ n: 1, $not: { 'loc.page': 2 } })), true)
  assert.equal(columns.covers(parseFilter({ n: 1, 'loc.line': 2 })), false)
  assert.equal(columns.covers(parseFilter({})), true)
})
