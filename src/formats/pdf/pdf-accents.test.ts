import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collect } from '../../../test/support/collect.ts'
import { type PdfLine, writePdf } from '../../../test/support/pdf-writer.ts'
import { itemText } from '../../../test/support/reader-items.ts'
import { FILE_LIMITS } from '../limits.ts'
import { composeAccents } from './pdf-accents.ts'
import type { TextRun } from './pdf-runs.ts'
import { readPdf } from './pdf.ts'

/** Runs of one line of 10 points; each is 5 points a character wide and begins `overlap` before the end of the last. */
function line(...pieces: [text: string, overlap?: number][]): TextRun[] {
  let right = 72
  return pieces.map(([text, overlap = 0], order) => {
    const x = right - overlap
    right = x + text.length * 5
    return { text, x, right, y: 700, height: 10, spaced: false, order }
  })
}
const composed = (...pieces: Parameters<typeof line>) =>
  composeAccents(line(...pieces)).map(({ text, spaced }) => (spaced ? ' ' : '') + text)

test('composeAccents() puts an accent on the letter that begins under it', () => {
  assert.deepEqual(composed(['Br¨'], ['oker', 5]), ['Br', 'öker'])
  assert.deepEqual(composed(['Dvoˇ'], ['r´', 5], ['ak', 5]), ['Dvo', 'ř', 'ák'])
  assert.deepEqual(composed(['Mikul´'], ['ık', 5]), ['Mikul', 'ík'])
  assert.deepEqual(composed(['see '], ['´'], ['etude', 5]), ['see ', 'étude'])
  assert.deepEqual(composed(['see ´'], ['etude', 5]), ['see', ' étude'])
})

test('composeAccents() puts an accent on the letter that it begins over', () => {
  assert.deepEqual(composed(['prote'], ['´ge', 5], ['´ performance', 5]), ['proté', 'gé', ' performance'])
  assert.deepEqual(composed(['caf'], ['e'], ['´', 5]), ['caf', 'é'])
})

test('composeAccents() composes letters and combining marks', () => {
  assert.deepEqual(composed(['Bro\u0308ker']), ['Bröker'])
})

test('composeAccents() leaves accents that are not over a letter, and letters that have none', () => {
  for (const pieces of [
    [['`'], ['foo`']],
    [['Br¨'], ['oker']],
    [['x˙'], ['1', 5]],
    [['q˙'], ['q', 5]],
    [['`'], ['`', 5]],
  ] as [string, number?][][])
    assert.deepEqual(
      composed(...pieces),
      pieces.map(([text]) => text),
    )
})

const textOf = async (lines: readonly PdfLine[]) =>
  (await collect(readPdf({ bytes: writePdf([{ lines }]), name: 'x.pdf' }, {}, FILE_LIMITS)))
    .map(itemText)
    .join('\n')

test('readPdf() composes accents that TeX draws as characters of their own [formats:pdf-words]', async () => {
  // in Helvetica, `Hans-Bernhard Br` is 96.7 points wide and the accent 4
  const lines = [
    { text: 'Hans-Bernhard Br¨', y: 700 },
    { text: 'oker and others', x: 72 + 91.4, y: 700 },
  ]
  assert.equal(await textOf(lines), 'Hans-Bernhard Bröker and others')
})
