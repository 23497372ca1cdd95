import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TextItem } from 'pdfjs-dist/types/src/display/api.d.ts'
import { readingRegions, type SegmentBox } from './pdf-columns.ts'
import { pdfLines } from './pdf-lines.ts'

const A4 = [0, 0, 595, 842]

const item = (str: string, x: number, y: number, width: number, more: Partial<TextItem> = {}): TextItem => ({
  str,
  dir: 'ltr',
  transform: [10, 0, 0, 10, x, y],
  width,
  height: 10,
  fontName: 'f',
  hasEOL: false,
  ...more,
})

const texts = (items: readonly TextItem[], vertical = false) =>
  pdfLines(
    { items: [...items], styles: { f: { ascent: 1, descent: 0, vertical, fontFamily: '' } }, lang: null },
    A4,
  ).map(({ text }) => text)

test('pdfLines() reads a right-to-left line from the right, and the words of other scripts in it from the left', () => {
  const line = [
    item('שלום', 300, 700, 30),
    item('Node', 250, 700, 20),
    item('js', 275, 700, 10),
    item('עולם', 200, 700, 30),
  ]
  assert.deepEqual(texts(line), ['שלום\tNode js\tעולם'])
})

test('pdfLines() corrects the order of lam and alef in a ligature that was reversed with the line', () => {
  assert.deepEqual(texts([item('تحسين اإلنتاجية', 300, 700, 90)]), ['تحسين الإنتاجية'])
})

test('pdfLines() reads vertical lines from the top, the right one first', () => {
  const down = { height: 40, width: 10 }
  assert.deepEqual(texts([item('左の行', 300, 700, 10, down), item('右の行', 320, 700, 10, down)], true), [
    '右の行',
    '左の行',
  ])
})

test('pdfLines() puts text without finite coordinates after the text before it', () => {
  const lost = [NaN, Infinity, -Infinity, 1e300].map((value, index) =>
    item(`lost${index}`, 0, 0, 20, { transform: [10, 0, 0, 10, value, value] }),
  )
  const text = texts([
    item('first', 72, 700, 20),
    ...lost,
    item('wide', 72, 600, NaN),
    item('last', 72, 500, 20),
  ]).join(' ')
  for (const word of ['first', 'lost0', 'lost1', 'lost2', 'lost3', 'wide', 'last'])
    assert.ok(text.includes(word), word)
  assert.ok(text.startsWith('first'))
})

test('pdfLines() keeps every one of 30,000 pieces, on one line, in one column or scattered', () => {
  const count = 30_000
  const places: ((index: number) => [x: number, y: number])[] = [
    (index) => [index * 6, 700],
    (index) => [72, index * 9],
    (index) => [(index * 7919) % 595, (index * 104_729) % 842],
  ]
  for (const place of places) {
    const items = Array.from({ length: count }, (_, index) => item('w', ...place(index), 5))
    const text = texts(items).join('')
    assert.equal(text.replaceAll(/[^w]/g, '').length, count)
  }
})

test('pdfLines() reads a page of 15,000 rows of cells, and one of 30,000 tables, in little time', () => {
  const rows = Array.from({ length: 30_000 }, (_, index) =>
    item('w', index % 2 ? 72 : 300, 900_000 - (index >> 1) * 14 - (index % 6 === 5 ? 3 : 0), 5),
  )
  assert.equal(texts(rows).join('').replaceAll(/[^w]/g, '').length, 30_000)
  const cells = Array.from({ length: 30_000 }, (_, index) =>
    item('w', (index % 3) * 100, 900_000 - Math.floor(index / 6) * 40 - (index % 6 > 2 ? 12 : 0), 5),
  )
  assert.equal(texts(cells).join('').replaceAll(/[^w]/g, '').length, 30_000)
})

test('pdfLines() keeps one of 30,000 pieces that are printed at one or two places', () => {
  const items = Array.from({ length: 30_000 }, (_, index) => item('w', index % 2 ? 72 : 300, 700, 5))
  assert.deepEqual(texts(items), ['w\tw'])
})

test('readingRegions() takes a number of steps that grows as the number of segments does', () => {
  let reads = 0
  class Counted implements SegmentBox {
    readonly #x: number
    readonly right: number
    readonly y: number
    readonly height = 4
    readonly characters = 30
    readonly hasWords = true
    readonly order: number
    constructor(x: number, y: number, order: number) {
      this.#x = x
      this.right = x + 40
      this.y = y
      this.order = order
    }
    get x(): number {
      reads++
      return this.#x
    }
  }
  const readsFor = (count: number): number => {
    reads = 0
    const columns = 8
    const segments = Array.from({ length: count }, (_, index) => {
      const order = (index * 7919) % count
      return new Counted(
        (index % columns) * 60 + (index % 64 === 0 ? 15 : 0),
        -Math.floor(index / columns) * 5,
        order,
      )
    })
    const regions = readingRegions(segments)
    assert.equal(regions.flat().length, count)
    return reads
  }
  const [few, many] = [readsFor(1000), readsFor(16_000)]
  assert.ok(many < few * 16 * 2, `${few} reads for 1,000 segments, ${many} for 16,000`)
})
