import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomBelow } from '../../test/support/random.ts'
import { BLOCK_HEADER, readBlockHeader } from './block.ts'
import { countAmong } from './count-among.ts'
import { eachPosting, PageWriter, type Postings, postingsOf, type TermPage } from './page.ts'

const TERM = 7

function postingsWith(passages: Iterable<number>, size: number): Postings {
  const pages: TermPage[] = []
  const writer = new PageWriter(new Uint8Array(size), (page) => pages.push(page))
  for (const passage of passages) writer.add(passage, 1 + (passage % 5))
  writer.endTerm(TERM)
  writer.end()
  return postingsOf(pages[0]!, TERM)!
}

/** Makes a block of a list unreadable, but for its header. */
function spoil({ bytes }: Postings, which: number): void {
  for (let at = 0, block = 0; block <= which; block++) {
    const { gapBits, repeatBits } = readBlockHeader(bytes, at)
    const end = at + BLOCK_HEADER + 16 * (gapBits + repeatBits)
    if (block === which) bytes.fill(255, at + BLOCK_HEADER, end)
    at = end
  }
}

const inThrees = (length: number) => Array.from({ length }, (_, number) => 3 * number)

test('countAmong() reads no block that has none of the passages', () => {
  // The blocks begin with 0, 384 and 768.
  const middle = postingsWith(inThrees(384), 2000)
  spoil(middle, 0)
  spoil(middle, 2)
  assert.equal(countAmong(middle, Uint32Array.of(384, 387, 765)), 3)
  const ends = postingsWith(inThrees(384), 2000)
  spoil(ends, 1)
  // The first one is between two blocks.
  assert.equal(countAmong(ends, Uint32Array.of(382, 768)), 1)
})

test('countAmong() counts in a list of one block', () => {
  const postings = postingsWith(inThrees(128), 2000)
  assert.equal(countAmong(postings, Uint32Array.of(0, 1, 3, 381, 384)), 3)
})

test('countAmong() counts as going through all postings does, for lists of any length', () => {
  const random = randomBelow(5)
  for (let round = 0; round < 300; round++) {
    const size = 1 + random([100, 700, 20_000][random(3)]!)
    const every = (most: number) => {
      const gap = 1 + random(most)
      return Array.from({ length: size }, (_, number) => number).filter(() => random(gap) === 0)
    }
    const [held, asked] = [every(40), every([2, 50, 5000][random(3)]!)]
    if (held.length === 0) continue
    const postings = postingsWith(held, size)
    const among = new Set(asked)
    let wanted = 0
    eachPosting(postings, (passage) => {
      if (among.has(passage)) wanted++
    })
    assert.equal(countAmong(postings, Uint32Array.from(asked)), wanted, `round ${round}`)
  }
})

test('countAmong() counts whole blocks, and a list that ends with one', () => {
  const numbers = inThrees(384)
  const postings = postingsWith(numbers, 2000)
  assert.equal(countAmong(postings, Uint32Array.from(numbers)), 384)
  assert.equal(countAmong(postings, Uint32Array.of(0, 1, 383, 384, 1149, 1150)), 3)
  assert.equal(countAmong(postings, new Uint32Array()), 0)
})
