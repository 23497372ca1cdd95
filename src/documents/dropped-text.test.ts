import assert from 'node:assert/strict'
import { test } from 'node:test'
import { droppedText } from './dropped-text.ts'
import { type Dropped, DROPPED_KINDS } from '../contract/file-parser.ts'

test('droppedText() says what was left out, how much and where', () => {
  for (const [row, text] of [
    [
      { kind: 'repeatedLine', count: 1200, place: { page: 1, lastPage: 600 } },
      '1,200 repeated lines on pages 1 to 600',
    ],
    [{ kind: 'pageNumber', count: 1, place: { part: 'footer' } }, '1 page number in footer'],
    [{ kind: 'hiddenSheet', count: 1, place: { sheet: 'Budget' } }, 'sheet Budget is hidden'],
    [{ kind: 'hiddenSheet', count: 300, more: true }, '300 more hidden sheets'],
    [{ kind: 'unreadablePage', count: 1, place: { page: 3 } }, 'page 3 cannot be read'],
    [{ kind: 'unreadablePage', count: 3, place: { page: 3, lastPage: 5 } }, 'pages 3 to 5 cannot be read'],
    [{ kind: 'unreadablePage', count: 2 }, '2 pages that cannot be read'],
    [{ kind: 'picture', count: 2, place: { page: 4, sheet: 'S' } }, '2 pictures on page 4 in sheet S'],
    [{ kind: 'attachment', count: 1, place: { part: 'run.exe' } }, 'file run.exe inside it'],
    [{ kind: 'attachment', count: 2 }, '2 embedded files'],
  ] as const)
    assert.equal(droppedText(row as Dropped), text)
})

test('droppedText() has words for one and for several of each kind', () => {
  const texts = DROPPED_KINDS.flatMap((kind) => [1, 2].map((count) => droppedText({ kind, count })))
  assert.equal(new Set(texts.map((text) => text.slice(2))).size, 2 * DROPPED_KINDS.length)
})
