import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TermReader } from '../text/terms/terms.ts'
import { PostingsBatch } from './batch.ts'
import { classOf, LENGTHS } from './length-class.ts'
import { eachPosting, PageReader } from './page.ts'

test('PostingsBatch counts the terms of each passage, however many there are', () => {
  const texts = Array.from({ length: 300 }, (_, i) =>
    Array.from({ length: i }, (_, word) => `${(word * i) % 97} word${word * 31 + i}`).join(' the '),
  )
  texts.push('', '!')
  const batch = new PostingsBatch()
  const wanted = new Map<string, number>()
  for (const [passage, text] of texts.entries()) {
    batch.add(100 + passage, text)
    let length = 0
    new TermReader((term) => {
      const key = `${term} in ${passage}`
      wanted.set(key, (wanted.get(key) ?? 0) + 1)
      length++
    }).read(text)
    assert.equal(batch.classes[passage], classOf(length))
  }
  const found = new Map<string, number>()
  let last = -1
  batch.writePages((page) => {
    const reader = new PageReader(page)
    for (let first = true; reader.next(); first = false) {
      if (first) assert.equal(page.firstTerm, reader.term)
      assert.ok(reader.term > last)
      last = reader.term
      eachPosting(reader.postings(), (passage, occurrences) =>
        found.set(`${last} in ${passage}`, occurrences),
      )
    }
  })
  assert.deepEqual(found, wanted)
  assert.deepEqual(
    batch.ids,
    texts.map((_, i) => 100 + i),
  )
})

test('classOf() keeps lengths to within 3 %, up to 60,000 terms', () => {
  for (let length = 0; length < 60_000; length = Math.ceil((length + 1) * 1.07)) {
    const kept = LENGTHS[classOf(length)]!
    assert.ok(Math.abs(kept - length) <= 0.03 * (length + 1), `${length} as ${kept}`)
  }
  assert.equal(classOf(10 ** 9), 255)
})
