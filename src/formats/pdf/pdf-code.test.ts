import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TextItem } from 'pdfjs-dist/types/src/display/api.d.ts'
import { collect } from '../../../test/support/collect.ts'
import { type PdfLine, writePdf } from '../../../test/support/pdf-writer.ts'
import { itemText } from '../../../test/support/reader-items.ts'
import { FILE_LIMITS } from '../limits.ts'
import { FixedWidthFonts } from './pdf-fixed-width.ts'
import { readPdf } from './pdf.ts'

const textOf = async (lines: readonly PdfLine[]) =>
  (await collect(readPdf({ bytes: writePdf([{ lines }]), name: 'x.pdf' }, {}, FILE_LIMITS)))
    .map(itemText)
    .join('\n---\n')

/** Lines of Courier of 10 points, 6 points a letter; leading spaces move a line to the right. */
const courier = (texts: readonly string[], top: number, left = 72): PdfLine[] =>
  texts.flatMap((text, index) => {
    const words = text.trim()
    const x = left + (text.length - text.trimStart().length) * 6
    return words === '' ? [] : [{ text: words, x, y: top - index * 12, size: 10, isFixedWidth: true }]
  })

const PROSE = [
  'The paragraph before the listing fills its line up to the right',
  'edge of the text and ends here:',
]

const prose = (texts: readonly string[], top: number): PdfLine[] =>
  texts.map((text, index) => ({ text, y: top - index * 14 }))

test('readPdf() keeps lines of code, their indentation and empty lines between them [formats:pdf-code]', async () => {
  const code = [
    'def add(a, b):',
    '    if a:',
    '        return a + b',
    '',
    '    # nothing to add',
    '    return b',
  ]
  const lines = [...prose(PROSE, 760), ...courier(code, 722), ...prose(['And on.'], 640)]
  assert.equal(await textOf(lines), `${PROSE.join(' ')}\n\n\`\`\`\n${code.join('\n')}\n\`\`\`\n\nAnd on.`)
})

test('readPdf() makes no heading of a comment in large type, and no columns of the gaps in code', async () => {
  const code = [
    '# Files',
    'plot "a"         # one line',
    'plot sin(x)      # two lines',
    'plot "long name" # three',
  ]
  const lines = courier(code, 700).flatMap((line) => {
    const [command, comment] = line.text.split(/\s+(?=# )/)
    const places = [{ ...line, text: command! }]
    return comment ? [...places, { ...line, text: comment, x: 72 + 17 * 6 }] : places
  })
  const body = Array.from({ length: 6 }, (_, index) => ({
    text: 'Words in small type. '.repeat(3),
    y: 600 - index * 9,
    size: 7,
  }))
  const text = await textOf([...lines, ...body])
  assert.ok(text.startsWith(`\`\`\`\n${code.join('\n')}\n\`\`\`\n\n`), text)
})

test('readPdf() keeps the number of a line of code with it', async () => {
  const numbers = [1, 2].map((number) => ({ text: String(number), x: 50, y: 712 - number * 12, size: 7 }))
  const [first, second] = courier(['let a = 1', '  return a'], 700)
  assert.equal(
    await textOf([numbers[0]!, first!, numbers[1]!, second!]),
    '```\n1   let a = 1\n2     return a\n```',
  )
})

test('readPdf() joins the lines of a paragraph that is set in fixed-width type', async () => {
  const words = [
    'A book may be set in the type of a typewriter, as many were before',
    'the first programs for desktop publishing were sold; its lines are',
    'broken where the next word has no place, and none of them is code.',
  ]
  assert.equal(await textOf(courier(words, 700)), words.join(' '))
})

test('readPdf() joins a line of a paragraph that a name in fixed-width type fills', async () => {
  const lines: PdfLine[] = [
    { text: 'Write to the list, which has the rather long address that is here:', y: 714 },
    {
      text: 'a-very-long-name-of-a-list-of-people-and-friends@lists.example',
      y: 700,
      size: 10,
      isFixedWidth: true,
    },
    { text: 'and wait for somebody to answer the letter that you have written.', y: 686 },
  ]
  assert.equal(await textOf(lines), lines.map(({ text }) => text).join(' '))
})

const item = (str: string, width: number, fontName = 'f'): TextItem => ({
  str,
  dir: 'ltr',
  transform: [10, 0, 0, 10, 72, 700],
  width,
  height: 10,
  fontName,
  hasEOL: false,
})
const content = (items: TextItem[], fontFamily = 'sans-serif') => ({
  items,
  styles: { f: { ascent: 1, descent: 0, vertical: false, fontFamily } },
  lang: null,
})
const widthOf = (page: ReturnType<typeof content>) => {
  const fonts = new FixedWidthFonts()
  fonts.measure(page)
  return fonts.widthOf('f', page)
}

test('FixedWidthFonts finds fonts by the width of their words, whether they are marked or not', () => {
  const words = ['create', 'shutdown', 'port', 'million', 'exit'].map((word) => item(word, word.length * 6))
  assert.equal(widthOf(content(words))?.toFixed(2), '0.60')
  assert.equal(widthOf(content(words.slice(0, 1), 'monospace'))?.toFixed(2), '0.60')
})

test('FixedWidthFonts does not take other fonts for them', () => {
  const proportional = ['create', 'million', 'shutdown', 'willing', 'mammoth'].map((word, index) =>
    item(word, word.length * (4 + index * 0.7)),
  )
  assert.equal(widthOf(content(proportional)), undefined)
  assert.equal(widthOf(content(proportional, 'monospace')), undefined, 'marked by mistake')
  assert.equal(
    widthOf(content(['2019', '1,000', '349.60'].map((text) => item(text, text.length * 5)))),
    undefined,
  )
  assert.equal(
    widthOf(
      content(['東京都', '日本語', '人工知能', '機械学習'].map((text) => item(text, text.length * 10))),
    ),
    undefined,
  )
  assert.equal(widthOf(content([item('one', 18)])), undefined, 'too little text')
  assert.equal(widthOf(content([])), undefined)
})
