import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collect } from '../../../test/support/collect.ts'
import { type PdfLine, writePdf } from '../../../test/support/pdf-writer.ts'
import { itemText } from '../../../test/support/reader-items.ts'
import { FILE_LIMITS } from '../limits.ts'
import { readPdf } from './pdf.ts'

const textOf = async (...lines: PdfLine[]) =>
  (await collect(readPdf({ bytes: writePdf([{ lines }]), name: 'x.pdf' }, {}, FILE_LIMITS)))
    .map(itemText)
    .join('\n')

test('readPdf() reads text once that is printed twice to look bold, at once or after the other lines [formats:pdf-words]', async () => {
  const [title, body] = [
    { text: 'Total amount due', y: 700 },
    { text: 'Pay it.', y: 686 },
  ]
  const shifted = { ...title, x: 72.5, y: 699.7 }
  for (const lines of [
    [title, shifted, body],
    [title, body, shifted, body],
  ])
    assert.equal(await textOf(...lines), 'Total amount due Pay it.')
})

test('readPdf() reads text once that is printed twice in different pieces', async () => {
  assert.equal(
    await textOf(
      { text: 'Total amount due', y: 700 },
      { text: 'Total', x: 72.4, y: 700 },
      { text: 'amount due', x: 103.2, y: 700 },
    ),
    'Total amount due',
  )
})

test('readPdf() reads text once of which each letter is printed twice', async () => {
  const widths = { W: 0.944, o: 0.556, r: 0.333, d: 0.556, s: 0.5 }
  let x = 72
  const lines = Array.from('Words', (text) => {
    const at = x
    x += widths[text as keyof typeof widths] * 12
    return [0, 0.4].map((shift) => ({ text, x: at + shift, y: 700 }))
  })
  assert.equal(await textOf(...lines.flat()), 'Words')
})

test('readPdf() keeps equal words and letters beside and below each other', async () => {
  const word = (text: string, x: number, y = 700) => ({ text, x, y })
  assert.equal(await textOf(word('had', 72), word('had', 95)), 'had had')
  assert.equal(await textOf(word('l', 72), word('l', 74.7), word('ama', 77.4)), 'llama')
  assert.equal(await textOf(word('same', 72), word('same', 72, 686)), 'same same')
})
