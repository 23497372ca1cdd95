import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeCompound } from '../../../test/support/compound-writer.ts'
import { docFile } from '../../../test/support/doc-writer.ts'
import { onlyText, readAll } from '../../../test/support/office-files.ts'
import { long, shorts } from '../../../test/support/xls-writer.ts'
import { readDoc } from './doc.ts'

const textOf = (...args: Parameters<typeof docFile>) => onlyText(readDoc, docFile(...args))
const IN_TABLE = [0x16, 0x24, 1]
const ENDS_ROW = [...IN_TABLE, 0x17, 0x24, 1]
const deep = (depth: number) => [...IN_TABLE, 0x49, 0x66, depth, 0, 0, 0]
const positions = (...values: number[]) => Buffer.concat(values.map(long))

test('readDoc reads paragraphs, headings by their styles, and special characters [formats:old-office]', async () => {
  const paragraphs = [
    { text: 'Plan\r', style: 1 },
    { text: 'First\r', style: 2 },
    { text: 'Direct\r', changes: [0x40, 0x26, 2] },
    { text: 'one\ttwo\vthree\x1e漢字\x1f!\r' },
    { text: '\r' },
    { text: 'page\f' },
    { text: 'last' },
  ]
  assert.equal(
    await textOf(paragraphs, { styles: [0, 62, 1] }),
    '# Plan\n\n# First\n\n### Direct\n\none\ttwo\nthree\u2011漢字!\n\npage\n\nlast',
  )
})

test('readDoc writes tables as markdown, with tables in cells [formats:old-office]', async () => {
  const paragraphs = [
    { text: 'a\x07', changes: IN_TABLE },
    { text: 'b\r', changes: IN_TABLE },
    { text: 'c\x07', changes: IN_TABLE },
    { text: '\x07', changes: ENDS_ROW },
    { text: 'x\r', changes: [...deep(2), 0x4b, 0x24, 1] },
    { text: 'y\r', changes: [...deep(2), 0x4b, 0x24, 1] },
    { text: '\r', changes: [...deep(2), 0x4c, 0x24, 1] },
    { text: 'out\x07', changes: IN_TABLE },
    { text: 'end\x07', changes: IN_TABLE },
    { text: '\x07', changes: ENDS_ROW },
    { text: 'after\r' },
  ]
  assert.equal(await textOf(paragraphs), '| a | b c |\n| --- | --- |\n| x y out | end |\n\nafter')
})

test('readDoc numbers lists as they are shown [formats:old-office]', async () => {
  const level = (start: number, format: number, text: string) =>
    Buffer.concat([
      long(start),
      Buffer.from([format]),
      Buffer.alloc(23),
      shorts(text.length),
      Buffer.from(text, 'utf16le'),
    ])
  const list = (id: number) => Buffer.concat([long(id), Buffer.alloc(22), Buffer.from([1, 0])])
  const lists = Buffer.concat([shorts(2), list(7), list(8)])
  const levels = Buffer.concat([level(3, 0, 'Art. \0.'), level(1, 23, '\uf0b7')])
  const use = (id: number) => Buffer.concat([long(id), Buffer.alloc(12)])
  const item = (index: number) => [0x0b, 0x46, index, 0]
  const paragraphs = [
    { text: 'a\r', changes: item(1) },
    { text: 'b\r', changes: item(2) },
    { text: 'c\r', changes: item(1) },
  ]
  const structures = { 74: Buffer.concat([long(2), use(7), use(8)]) }
  const bytes = docFile(paragraphs, { structures, lists: { structure: lists, levels } })
  assert.equal(await onlyText(readDoc, bytes), 'Art. 3. a\n\n- b\n\nArt. 4. c')
})

test('readDoc leaves out deleted and hidden text and the instructions of fields, and counts pictures [formats:old-office]', async () => {
  const text = 'kept gone hid \x13 HYPERLINK "x" \x14link\x15 \x13PAGE\x15\x01\r'
  const { parts, dropped } = await readAll(
    readDoc,
    docFile([{ text }], {
      runs: [
        { from: 5, to: 10, changes: [0x00, 0x08, 1] },
        { from: 10, to: 14, changes: [0x3c, 0x08, 1] },
      ],
    }),
  )
  assert.equal(parts[0]?.pageContent, 'kept link')
  assert.deepEqual(dropped, [{ kind: 'picture', count: 1 }])
})

test('readDoc reads notes, comments, headers, footers and text boxes [formats:old-office]', async () => {
  const body = 'text\x02 more\x02\x05\r'
  const paragraphs = [
    { text: body },
    { text: '\x02 foot\r' },
    { text: 'Company\r' },
    { text: '12\r' },
    { text: '\x05why\r' },
    { text: '\x02 end\r' },
    { text: 'boxed\r' },
  ]
  const [, foot, header, footer, comment, end, box] = paragraphs.map(({ text }) => text.length)
  const author = Buffer.concat([
    shorts(3),
    Buffer.from('Bob', 'utf16le'),
    shorts(3),
    Buffer.from('Ada', 'utf16le'),
  ])
  const structures = {
    2: Buffer.concat([positions(4, body.length), shorts(1)]),
    3: positions(0, foot!, foot!),
    46: Buffer.concat([positions(10, body.length), shorts(1)]),
    47: positions(0, end!, end!),
    4: Buffer.concat([positions(11, body.length), Buffer.alloc(20), shorts(1), Buffer.alloc(8)]),
    5: positions(0, comment!, comment!),
    36: author,
    11: positions(0, 0, 0, 0, 0, 0, 0, 0, header!, header!, header! + footer!, header! + footer!),
  }
  const parts = {
    footnotes: foot!,
    headers: header! + footer!,
    comments: comment!,
    endnotes: end!,
    boxes: box!,
  }
  assert.equal(
    await textOf(paragraphs, { structures, parts }),
    'Company\n\ntext[^1] more[^e1][^c1]\n\nboxed\n\n[^1]: foot\n\n[^e1]: end\n\n[^c1]: Ada: why',
  )
})

test('readDoc refuses encrypted, older, other and damaged documents [formats:old-office]', async () => {
  const one = [{ text: 'x\r' }]
  const read = (bytes: Uint8Array, limits = {}) => readAll(readDoc, bytes, limits)
  await assert.rejects(read(docFile(one, { flags: 0x100 })), { code: 'file_encrypted' })
  await assert.rejects(read(docFile(one, { magic: 0xa5dc })), {
    code: 'file_unreadable',
    message: /before 1997.*\.docx/,
  })
  await assert.rejects(read(writeCompound({ Workbook: Buffer.from('x') })), {
    code: 'file_unreadable',
    message: /its content is an Excel 97-2003 workbook/,
  })
  await assert.rejects(read(writeCompound({ WordDocument: Buffer.alloc(100) })), {
    code: 'file_unreadable',
  })
  await assert.rejects(read(docFile(one, { structures: { 33: Buffer.from([9, 9]) } })), {
    code: 'file_unreadable',
  })
  const nothing = {
    structures: { 1: Buffer.alloc(3), 12: Buffer.alloc(2), 13: Buffer.alloc(9), 73: Buffer.from([255, 127]) },
  }
  assert.equal(await textOf(one, nothing), 'x')
  const repeated = docFile([{ text: `${'long '.repeat(1000)}\r` }], { repeatPiece: 1000 })
  await assert.rejects(read(repeated, { textLength: 100_000 }), { code: 'file_over_limit' })
})
