import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textOfTsv } from './ocr-text.ts'

const row = (...cells: (string | number)[]) => cells.join('\t')
const word = (block: number, paragraph: number, line: number, confidence: number, text: string) =>
  row(5, 1, block, paragraph, line, 1, 0, 0, 9, 9, confidence, text)
const read = (...rows: string[]) => textOfTsv(Buffer.from(rows.join('\n')))

test('textOfTsv() joins words to lines and lines to paragraphs, with the confidence of the letters', () => {
  const page = read(
    row(
      'level',
      'page_num',
      'block_num',
      'par_num',
      'line_num',
      'word_num',
      'left',
      'top',
      'width',
      'height',
      'conf',
      'text',
    ),
    row(1, 1, 0, 0, 0, 0, 0, 0, 9, 9, -1, ''),
    word(1, 1, 1, 90, 'Der'),
    word(1, 1, 1, 90, 'See'),
    row(4, 1, 1, 1, 2, 0, 0, 0, 9, 9, -1, ''),
    word(1, 1, 2, 90, 'ist'),
    word(1, 2, 1, 90, 'tief'),
    word(2, 1, 1, 50, 'Grünwald'),
  )
  assert.deepEqual(page, { text: 'Der See\nist\n\ntief\n\nGrünwald', confidence: 0.75 })
})

test('textOfTsv() finds nothing in an empty page, and does not trust what it is given', () => {
  assert.deepEqual(read(row(1, 1, 0, 0, 0, 0, 0, 0, 9, 9, -1, '')), { text: '', confidence: 0 })
  assert.deepEqual(read(word(1, 1, 1, 95, ' ')), { text: '', confidence: 0 })
  assert.deepEqual(read('5\tbroken', word(1, 1, 1, 7000, 'sure')), { text: 'sure', confidence: 1 })
  assert.deepEqual(read(word(1, 1, 1, Number.NaN, 'odd')), { text: 'odd', confidence: 0 })
})
