import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LineEndHyphens } from './pdf-hyphens.ts'
import { pageText } from './pdf-layout.ts'
import type { PdfLine } from './pdf-lines.ts'

/** Lines 14 points apart and 12 high, unless a line has other values. */
const set = (...lines: (string | (Partial<PdfLine> & { text: string; gap?: number }))[]): PdfLine[] => {
  let y = 800
  return lines.map((given) => {
    const { gap = 14, ...line } = typeof given === 'string' ? { text: given } : given
    y -= gap
    return { x: 72, right: 500, y, height: 12, ...line }
  })
}
const text = (...lines: Parameters<typeof set>) => pageText(set(...lines), 12, new LineEndHyphens())

test('pageText() joins the lines of a paragraph, and separates paragraphs by their distance', () => {
  assert.equal(text('One', 'two', 'three.', { text: 'Four', gap: 28 }, 'five'), 'One two three.\n\nFour five')
})

test('pageText() makes words whole that a hyphen cuts, and keeps the hyphens of compounds', () => {
  assert.equal(
    text('a para-', 'graph about Baden-', 'Baden and 2-', '3 things –', 'or'),
    'a paragraph about Baden-Baden and 2-3 things – or',
  )
})

test('pageText() makes headings of larger type', () => {
  assert.equal(
    text(
      { text: 'Title', height: 24 },
      { text: 'Part', height: 17, gap: 20 },
      { text: 'Point', height: 14 },
      'Body.',
    ),
    '# Title\n\n## Part\n\n### Point\n\nBody.',
  )
})

test('pageText() begins a paragraph at a bullet, and at an indent after a full stop', () => {
  assert.equal(text('Things:', '• one', 'more of one', '2. two'), 'Things:\n\n• one more of one\n\n2. two')
  assert.equal(
    text('It ends.', { text: 'It begins', x: 90 }, 'and goes on'),
    'It ends.\n\nIt begins and goes on',
  )
})

test('pageText() separates texts side by side by a tab, and joins Japanese without a space', () => {
  assert.equal(text('left', { text: 'right', gap: 0, x: 300 }), 'left\tright')
  assert.equal(text('これは日', '本語です'), 'これは日本語です')
})

test('pageText() begins a new block where the next column begins at the top', () => {
  assert.equal(
    text('left one', 'left two', { text: 'right one', gap: -14, x: 300 }),
    'left one left two\n\nright one',
  )
})

test('pageText() gives nothing for no lines', () => {
  assert.equal(text(), '')
})
