import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { collect } from '../../test/support/collect.ts'
import { epub } from '../../test/support/epub-files.ts'
import { paragraphLines, writePdf } from '../../test/support/pdf-writer.ts'
import * as files from '../../test/support/small-files.ts'
import { workbook } from '../../test/support/workbook.ts'
import { FILE_TYPES, type FileType } from '../contract/file-parser.ts'
import { FILE_LIMITS } from './limits.ts'
import { isStreamed, readFileParts } from './read-file.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'sluice-read-'))

function read(type: FileType, content: string | Uint8Array, limits = FILE_LIMITS) {
  const file = path.join(folder, `file.${type}`)
  writeFileSync(file, content)
  return collect(readFileParts({ path: file, name: `file.${type}`, type }, limits))
}

test('readFileParts() reads each type with its reader', async () => {
  const contents: [FileType, string | Uint8Array, string][] = [
    ['csv', 'a,b\n1,2\n', 'a: 1\nb: 2'],
    ['doc', files.doc('x'), 'x'],
    ['epub', epub([{ file: 'a.xhtml', body: 'x' }]), 'x'],
    ['html', '<h1>x</h1>', '# x'],
    ['ics', 'BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:x\nEND:VEVENT\nEND:VCALENDAR\n', 'x'],
    ['json', '{"a": ["x"]}', 'a: x'],
    ['jsonl', '{"a": "x"}\n', 'a: x'],
    ['odp', files.odp('x'), 'x'],
    ['ods', files.ods('x'), '- note: x'],
    ['odt', files.odt('x'), 'x'],
    ['pdf', writePdf([{ lines: paragraphLines(['x']) }]), 'x'],
    ['rtf', '{\\rtf1 x}', 'x'],
    ['subtitles', '00:01.000 --> 00:02.000\nx\n', 'x'],
    ['text', 'x', 'x'],
    ['xls', files.xls('x'), '- note: x'],
  ]
  for (const [type, content, expected] of contents) {
    const texts = (await read(type, content)).map((item) => 'pageContent' in item && item.pageContent)
    assert.deepEqual(texts, [expected], type)
  }
})

test('readFileParts() streams the types without a size limit, and refuses other files that are too large', async () => {
  for (const type of ['csv', 'ics', 'json', 'jsonl', 'rtf', 'subtitles', 'text'] as const)
    assert.ok(isStreamed(type), type)
  const small = { ...FILE_LIMITS, documentBytes: 2 ** 20 }
  const large = ' '.repeat(2 ** 20 + 1)
  for (const type of FILE_TYPES.filter((type) => !isStreamed(type))) {
    const message = `file.${type} exceeds a limit of its reader: it has 2 MB, the limit is 1 MB`
    await assert.rejects(read(type, large, small), { code: 'file_over_limit', message }, type)
  }
})

test('readFileParts() bounds the text that comes out', async () => {
  const limits = { ...FILE_LIMITS, textLength: 10, textRatio: 2 }
  await assert.rejects(read('json', '["more than", "ten characters"]', limits), { code: 'file_over_limit' })
  const columns = Array.from({ length: 20 }, (_, index) => `column number ${index}`).join()
  await assert.rejects(read('csv', `${columns}\n${`${'1,'.repeat(19)}1\n`.repeat(20)}`, limits), {
    code: 'file_over_limit',
  })
  assert.equal((await read('text', 'as long as it is', limits)).length, 1)
})

test('readFileParts() gives only text that a database can store', async () => {
  assert.deepEqual(await read('json', '"a\\u0000b\\ud800"'), [
    { pageContent: 'ab\ufffd', metadata: { pointer: '' }, last: true },
  ])
})

test('readFileParts() gives a row of any length in parts of bounded length [formats:bounded-parts]', async () => {
  const cells = 60_000
  const wide = `${'x,'.repeat(cells)}x\n${'value,'.repeat(cells)}value\n`
  const line = `a,b\n1,${'y'.repeat(600_000)}\n`
  for (const [content, length] of [
    [wide, 'x: value\n'.length * (cells + 1) - 1],
    [line, 'a: 1\nb: '.length + 600_000],
  ] as const) {
    const parts = (await read('csv', content)).filter((item) => 'pageContent' in item)
    assert.ok(parts.every(({ pageContent }) => pageContent.length <= FILE_LIMITS.partLength))
    assert.equal(parts.map(({ pageContent }) => pageContent).join('').length, length)
    assert.deepEqual(
      parts.map(({ last }) => last),
      parts.map((_, index) => index === parts.length - 1),
    )
  }
})

test('readFileParts() adds nothing for columns without a value [formats:bounded-parts]', async () => {
  const empty = ','.repeat(100_000)
  const parts = await read('csv', `a${empty}\n${`1${empty}\n`.repeat(10)}`)
  assert.deepEqual(
    parts.map((item) => 'pageContent' in item && item.pageContent),
    Array(10).fill('a: 1'),
  )
})

test('readFileParts() gives a sheet of a hundred thousand columns in parts of bounded length [formats:bounded-parts]', async () => {
  // without references, all cells beyond Excel's last column are in that column
  const cells = '<c t="str"><v>x</v></c>'.repeat(100_000)
  const sheet = workbook({
    S: `<sheetData><row>${cells}</row><row>${'<c/>'.repeat(100_000)}</row></sheetData>`,
  })
  const limits = { ...FILE_LIMITS, zipRatio: 2000 }
  const parts = (await read('xlsx', sheet, limits)).filter((item) => 'pageContent' in item)
  assert.ok(parts.length > 10)
  for (const { pageContent, metadata } of parts) {
    assert.ok(pageContent.length <= FILE_LIMITS.partLength)
    assert.ok(Buffer.byteLength(JSON.stringify(metadata)) <= FILE_LIMITS.rowMetadataBytes + 200)
  }
})
