import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { collect } from '../../test/support/collect.ts'
import { paragraphLines, writePdf } from '../../test/support/pdf-writer.ts'
import { FILE_TYPES, type FileType } from '../contract/file-parser.ts'
import { LIMITS } from './limits.ts'
import { isStreamed, readFile } from './read-file.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'sluice-read-'))

function read(type: FileType, content: string | Uint8Array, limits = LIMITS) {
  const file = path.join(folder, `file.${type}`)
  writeFileSync(file, content)
  return collect(readFile({ path: file, name: `file.${type}`, type }, limits))
}

test('readFile() reads each type with its reader', async () => {
  const contents: [FileType, string | Uint8Array, string][] = [
    ['csv', 'a,b\n1,2\n', 'a: 1\nb: 2'],
    ['html', '<h1>x</h1>', '# x'],
    ['json', '{"a": ["x"]}', 'x'],
    ['jsonl', '{"a": "x"}\n', 'a: x'],
    ['pdf', writePdf([{ lines: paragraphLines(['x']) }]), 'x'],
    ['text', 'x', 'x'],
  ]
  for (const [type, content, expected] of contents) {
    const texts = (await read(type, content)).map((item) => 'pageContent' in item && item.pageContent)
    assert.deepEqual(texts, [expected], type)
  }
})

test('readFile() streams the types that may be of any size, and refuses others that are too large', async () => {
  assert.deepEqual(FILE_TYPES.filter(isStreamed), ['csv', 'jsonl', 'text'])
  const small = { ...LIMITS, jsonBytes: 2 ** 20, documentBytes: 2 ** 20 }
  const large = ' '.repeat(2 ** 20 + 1)
  for (const type of FILE_TYPES.filter((type) => !isStreamed(type))) {
    const message = `file.${type} goes over a limit of its reader: it has 2 MB and may have 1`
    await assert.rejects(read(type, large, small), { code: 'file_over_limit', message }, type)
  }
})

test('readFile() bounds the text that comes out', async () => {
  const limits = { ...LIMITS, textLength: 10, textRatio: 2 }
  await assert.rejects(read('json', '["more than", "ten characters"]', limits), { code: 'file_over_limit' })
  const columns = Array.from({ length: 20 }, (_, index) => `column number ${index}`).join()
  await assert.rejects(read('csv', `${columns}\n${'1\n'.repeat(20)}`, limits), { code: 'file_over_limit' })
  assert.equal((await read('text', 'as long as it is', limits)).length, 1)
})

test('readFile() lets nothing out that a database cannot store', async () => {
  assert.deepEqual(await read('json', '"a\\u0000b\\ud800"'), [
    { pageContent: 'ab\ufffd', metadata: {}, last: true },
  ])
})
