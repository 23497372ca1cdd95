import assert from 'node:assert/strict'
import { test } from 'node:test'
import { between, seeded } from '../../test/support/splitter-oracle.ts'
import { SHOWN_ADDED, SHOWN_DOCUMENTS, ShownDocuments } from './documents.ts'

const documentOf = (item: number, n: number) => ({ pageContent: `${item}/${n}`, metadata: {} })
const namesOf = (documents: { pageContent: string }[] | undefined) => documents?.map((one) => one.pageContent)

test('added() gives the first that were added, in the order of items, whichever is done first', () => {
  const shown = new ShownDocuments(false)
  for (const item of [2, 0]) for (let n = 0; n < 15; n++) shown.note(item, documentOf(item, n), n % 3 !== 0)
  const names = namesOf(shown.added())!
  assert.equal(names.length, SHOWN_ADDED)
  assert.deepEqual(names.slice(0, 3), ['0/1', '0/2', '0/4'])
  assert.equal(names[10], '2/1')
})

test('sourceDocuments() is empty-handed unless asked', () => {
  const shown = new ShownDocuments(false)
  shown.note(0, documentOf(0, 0), true)
  assert.deepEqual(shown.sourceDocuments(), {})
  assert.deepEqual(new ShownDocuments(true).sourceDocuments(), { sourceDocuments: [] })
})

test('sourceDocuments() has the skipped chunks too, and no mark of truncation if all fit', () => {
  const shown = new ShownDocuments(true)
  for (let n = 0; n < SHOWN_DOCUMENTS; n++) shown.note(0, documentOf(0, n), false)
  assert.equal(shown.sourceDocuments().sourceDocuments!.length, SHOWN_DOCUMENTS)
  assert.equal(shown.sourceDocuments().sourceDocumentsTruncated, undefined)
  shown.note(1, documentOf(1, 0), false)
  assert.equal(shown.sourceDocuments().sourceDocuments!.length, SHOWN_DOCUMENTS)
  assert.equal(shown.sourceDocuments().sourceDocumentsTruncated, true)
})

test('sourceDocuments() gives the first thousand in order, however the items overtake one another', () => {
  const random = seeded(3)
  for (let round = 0; round < 30; round++) {
    const sizes = Array.from({ length: between(random, 1, 40) }, () => between(random, 0, 1500))
    const next = sizes.map(() => 0)
    const shown = new ShownDocuments(true)
    const expected = sizes.flatMap((size, item) => Array.from({ length: size }, (_, n) => `${item}/${n}`))
    for (let open = sizes.flatMap((size, item) => (size > 0 ? [item] : [])); open.length > 0; ) {
      const item = open[between(random, 0, open.length - 1)]!
      const burst = Math.min(sizes[item]! - next[item]!, between(random, 1, 300))
      for (let n = 0; n < burst; n++) shown.note(item, documentOf(item, next[item]!++), false)
      open = open.filter((one) => next[one]! < sizes[one]!)
    }
    const { sourceDocuments, sourceDocumentsTruncated } = shown.sourceDocuments()
    assert.deepEqual(namesOf(sourceDocuments), expected.slice(0, SHOWN_DOCUMENTS))
    assert.equal(sourceDocumentsTruncated ?? false, expected.length > SHOWN_DOCUMENTS)
  }
})

test('drop() takes back what a failed item has shown', () => {
  const shown = new ShownDocuments(true)
  for (const item of [0, 1, 2]) shown.note(item, documentOf(item, 0), true)
  shown.drop(1)
  shown.drop(7)
  assert.deepEqual(namesOf(shown.added()), ['0/0', '2/0'])
  assert.deepEqual(namesOf(shown.sourceDocuments().sourceDocuments), ['0/0', '2/0'])
})
