import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomBelow } from '../../test/support/random.ts'
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
  const numbers = Array.from({ length: 384 }, (_, number) => 3 * number)
  const postings = postingsWith(numbers, 2000)
  assert.equal(countAmong(postings, Uint32Array.from(numbers)), 384)
  assert.equal(countAmong(postings, Uint32Array.of(0, 1, 383, 384, 1149, 1150)), 3)
  assert.equal(countAmong(postings, new Uint32Array()), 0)
})
