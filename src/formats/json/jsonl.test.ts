import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { collect } from '../../../test/support/collect.ts'
import type { ParseOptions } from '../../contract/file-parser.ts'
import { readJsonLines } from './jsonl.ts'
import { FILE_LIMITS } from '../limits.ts'

const file = path.join(mkdtempSync(path.join(tmpdir(), 'sluice-jsonl-')), 'x.jsonl')

async function read(content: string, options: ParseOptions = {}, limits = FILE_LIMITS) {
  writeFileSync(file, content)
  return collect(readJsonLines({ path: file, name: 'x.jsonl' }, options, limits))
}

test('readJsonLines() gives a document per line, numbered as in the file', async () => {
  assert.deepEqual(await read('{"a": "x", "b": {"c": 2}}\r\n\r\n{"a": "y"}\n'), [
    { pageContent: 'a: x\nb.c: 2', metadata: { line: 1, pointer: '' }, last: true },
    { pageContent: 'a: y', metadata: { line: 3, pointer: '' }, last: true },
  ])
  assert.deepEqual(await read('"alone"'), [{ pageContent: 'alone', metadata: { pointer: '' }, last: true }])
  assert.deepEqual(await read(''), [])
})

test('readJsonLines() takes the value at the pointer, whatever it is', async () => {
  const content = '{"t": "x", "m": {"k": 1}}\n{"t": 7.50}\n{"t": {"a": {"b": false}}}\n{"t": ["l"]}\n'
  assert.deepEqual(await read(content, { pointers: ['/t'], metadataPointers: { key: '/m/k' } }), [
    { pageContent: 'x', metadata: { line: 1, pointer: '/t', key: 1 }, last: true },
    { pageContent: '7.50', metadata: { line: 2, pointer: '/t' }, last: true },
    { pageContent: 'a.b: false', metadata: { line: 3, pointer: '/t' }, last: true },
    { pageContent: 'l', metadata: { line: 4, pointer: '/t' }, last: true },
  ])
})

test('readJsonLines() splits a long line of objects, each with its pointer in the line', async () => {
  const lines = Array.from({ length: 20 }, (_, index) => ({
    sku: `S-${index}`,
    quantity: index,
    unit: 'pieces',
  }))
  const items = await read(`{"order": 1}\n${JSON.stringify({ order: 17, customer: 'Ines', lines })}\n`)
  assert.equal(items.length, 2 + lines.length)
  assert.deepEqual(items.slice(1, 3), [
    { pageContent: 'order: 17\ncustomer: Ines', metadata: { line: 2, pointer: '' }, last: true },
    {
      pageContent: 'order: 17\ncustomer: Ines\nsku: S-0\nquantity: 0\nunit: pieces',
      metadata: { line: 2, pointer: '/lines/0' },
      last: true,
    },
  ])
})

test('readJsonLines() notes the lines that it skips', async () => {
  assert.deepEqual(await read('{"t": "x"}\n{broken\n{"u": 1}\n', { pointers: ['t'] }), [
    { note: 'line 2 is not JSON and was skipped' },
    { note: 'line 3 has no text and was skipped' },
    { dropped: { kind: 'skippedLine', count: 2 } },
    { pageContent: 'x', metadata: { pointer: '/t' }, last: true },
  ])
})

test('readJsonLines() notes only the number of further skipped lines', async () => {
  const items = await read(`"x"\n${'{\n'.repeat(1000)}`)
  assert.equal(items.length, 13)
  assert.ok(items.some((item) => 'dropped' in item && item.dropped.count === 1000))
  assert.ok(items.some((item) => 'note' in item && item.note === '990 more lines were skipped'))
})

test('readJsonLines() refuses a file without one line of JSON, and a line without an end', async () => {
  await assert.rejects(read('these are\nplain words\n'), { code: 'file_unreadable' })
  await assert.rejects(read(`"${'x'.repeat(5000)}`, {}, { ...FILE_LIMITS, lineLength: 1000 }), {
    code: 'file_over_limit',
  })
})

test('readJsonLines() reads lines that cross the pieces of a large file', async () => {
  const lines = Array.from({ length: 20_000 }, (_, index) =>
    JSON.stringify({ text: `Zeile ${index} über 漢字` }),
  )
  const items = await read(lines.join('\n'), { pointers: ['text'] })
  assert.equal(items.length, 20_000)
  assert.ok(
    items.every((item, index) => 'pageContent' in item && item.pageContent === `Zeile ${index} über 漢字`),
  )
})
