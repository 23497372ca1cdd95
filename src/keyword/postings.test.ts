import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomBelow } from '../../test/support/random.ts'
import { setBit } from './bits.ts'
import { encodeRuns, IdRuns } from './id-runs.ts'
import { SegmentMerge, type Source } from './merge.ts'
import { eachPosting, type TermPage, PageReader, PageWriter, postingsOf } from './page.ts'

/** For each term, by fingerprint: how often each passage holds it. */
type Index = Map<number, Map<number, number>>

function someIndex(random: (bound: number) => number, passages: number, spread: number): Index {
  const index: Index = new Map()
  for (let passage = 0; passage < passages; passage++)
    for (let words = random(40); words > 0; words--) {
      // Some of few, which many passages hold, and some of many.
      const term = random(2) === 0 ? random(5) : random(spread) * 7919 * 65_536 + 3
      const holders = index.get(term) ?? new Map<number, number>()
      holders.set(passage, (holders.get(passage) ?? 0) + (random(50) === 0 ? 1000 : 1))
      index.set(term, holders)
    }
  return index
}

const NO_CLASSES = new Uint8Array(2 ** 21)

function pagesOf(index: Index): TermPage[] {
  const pages: TermPage[] = []
  const writer = new PageWriter(NO_CLASSES, (page) => pages.push(page))
  for (const term of [...index.keys()].sort((a, b) => a - b)) {
    for (const [passage, occurrences] of index.get(term)!) writer.add(passage, occurrences)
    writer.endTerm(term)
  }
  writer.end()
  return pages
}

function indexOf(pages: readonly TermPage[]): Index {
  const index: Index = new Map()
  for (const page of pages) {
    const reader = new PageReader(page)
    while (reader.next()) {
      const holders = new Map<number, number>()
      eachPosting(reader.postings(), (passage, occurrences) => holders.set(passage, occurrences))
      assert.ok(!index.has(reader.term))
      index.set(reader.term, holders)
    }
  }
  return index
}

test('PageReader reads what PageWriter wrote, and postingsOf() finds each term on the page that may hold it', () => {
  const random = randomBelow(11)
  for (const passages of [0, 1, 50, 3000, 20_000]) {
    const index = someIndex(random, passages, 20_000)
    const pages = pagesOf(index)
    assert.deepEqual(indexOf(pages), index)
    const find = (term: number) => {
      const page = pages.findLast(({ firstTerm }) => firstTerm <= term)
      return page && postingsOf(page, term)
    }
    for (const [term, holders] of index) assert.equal(find(term)?.count, holders.size)
    for (const term of [-1, 6, 2 ** 48 - 1]) assert.equal(find(term), undefined)
  }
})

test('PageWriter leaves out a term that no passage holds, and writes the largest fingerprints', () => {
  const pages: TermPage[] = []
  const writer = new PageWriter(NO_CLASSES, (page) => pages.push(page))
  writer.endTerm(1)
  writer.add(2 ** 20, 2 ** 30)
  writer.endTerm(2 ** 48 - 1)
  writer.end()
  writer.end()
  assert.deepEqual(indexOf(pages), new Map([[2 ** 48 - 1, new Map([[2 ** 20, 2 ** 30]])]]))
})

function merged(
  sources: readonly Source[],
  write: (page: TermPage) => void,
  random: (bound: number) => number,
): SegmentMerge {
  const merge = new SegmentMerge(sources, write)
  while (merge.step(1 + random(500)));
  return merge
}

test('SegmentMerge makes, in any steps, the segment that all passages which are left would have made at once', () => {
  const random = randomBelow(13)
  for (let round = 0; round < 30; round++) {
    const wanted: Index = new Map()
    const [wantedIds, wantedClasses]: number[][] = [[], []]
    let id = 1 + random(1000)
    const sources: Source[] = Array.from({ length: 1 + random(6) }, () => {
      const size = 1 + random(80)
      const ids = Array.from({ length: size }, () => (id += 1 + random(2)))
      const index = someIndex(random, size, 300)
      const gone = random(2) === 0 ? null : new Uint8Array(Math.ceil(size / 8))
      const classes = Uint8Array.from(ids, () => random(256))
      const numbers = ids.map((_, passage) => {
        if (gone && random(3) === 0) {
          setBit(gone, passage)
          return undefined
        }
        wantedClasses!.push(classes[passage]!)
        return wantedIds!.push(ids[passage]!) - 1
      })
      for (const [term, holders] of index)
        for (const [passage, occurrences] of holders) {
          if (numbers[passage] === undefined) continue
          if (!wanted.has(term)) wanted.set(term, new Map())
          wanted.get(term)!.set(numbers[passage], occurrences)
        }
      return {
        ids: new IdRuns(ids[0]!, encodeRuns(ids)),
        classes,
        gone,
        pages: pagesOf(index),
      }
    })
    const pages: TermPage[] = []
    const { ids, classes, terms: made } = merged(sources, (page) => pages.push(page), random)
    const terms = Float64Array.from([...wanted.keys()].sort((a, b) => a - b))
    assert.deepEqual([ids, classes, made], [wantedIds, Uint8Array.from(wantedClasses!), terms])
    assert.deepEqual(indexOf(pages), wanted)
  }
})
