import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DOCUMENT_GAP, ExtractedItem } from './extracted-item.ts'

/** The parts of an item as `createCut` gives them: a gap before each document but the first. */
function read(...parts: [text: string, metadata: object, isNew?: boolean][]): ExtractedItem {
  const item = new ExtractedItem()
  for (const [n, [text, metadata, isNew = true]] of parts.entries()) {
    if (n > 0 && isNew) item.extend(DOCUMENT_GAP)
    item.extend(text)
    item.endPart(metadata as Record<string, never>)
  }
  return item
}

const page = (pageNumber: number) => ({ loc: { pageNumber } })
const positionOf = (item: ExtractedItem, place?: object) => {
  item.leaveOut({ kind: 'picture', count: 1, ...(place ? { place } : {}) })
  return item.dropped.at(-1)!.position
}

test('ExtractedItem places pages in the text, and pages without text at the end of the page before', () => {
  // Page 2 comes in two parts; pages 3 and 4 have no text.
  const pages = () => read(['One', page(1)], ['Two ', page(2)], ['more', page(2), false], ['Five', page(5)])
  assert.equal(pages().characters, 3 + 2 + 8 + 2 + 4)
  for (const [place, position] of [
    [{ page: 1 }, { start: 0, end: 3 }],
    [{ page: 2 }, { start: 5, end: 13 }],
    [
      { page: 2, lastPage: 4 },
      { start: 5, end: 13 },
    ],
    [
      { page: 1, lastPage: 9 },
      { start: 0, end: 19 },
    ],
    [
      { page: 3, lastPage: 4 },
      { start: 13, end: 13 },
    ],
    [{ page: 9 }, { start: 19, end: 19 }],
  ] as const)
    assert.deepEqual(positionOf(pages(), place), position, JSON.stringify(place))
  assert.deepEqual(positionOf(read(['x', page(2)]), { page: 1 }), { start: 0, end: 0 })
})

test('ExtractedItem places slides and sheets, and knows no place of what has none in the text', () => {
  const deck = read(['Title', { slideNumber: 1 }], ['Next', { slideNumber: 2 }])
  assert.deepEqual(positionOf(deck, { page: 2 }), { start: 7, end: 11 })
  const book = () => read(['a', { worksheet: 'A' }], ['b', { worksheet: 'B' }], ['bb', { worksheet: 'B' }])
  assert.deepEqual(positionOf(book(), { sheet: 'B' }), { start: 3, end: 8 })
  for (const place of [{ sheet: 'Hidden' }, { part: 'header' }, undefined, { page: 1 }])
    assert.equal(positionOf(book(), place), undefined)
  assert.equal(positionOf(new ExtractedItem(), { page: 1 }), undefined)
})

test('ExtractedItem takes its positions once all is read: a reader may tell what it left out first or last', () => {
  const item = new ExtractedItem()
  item.leaveOut({ kind: 'repeatedLine', count: 2, place: { page: 1, lastPage: 2 } })
  item.extend('One')
  item.endPart(page(1))
  item.extend(DOCUMENT_GAP)
  item.extend('Two')
  item.endPart(page(2))
  assert.deepEqual(item.dropped, [
    { kind: 'repeatedLine', count: 2, place: { page: 1, lastPage: 2 }, position: { start: 0, end: 8 } },
  ])
})
