import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { collect } from '../../test/support/collect.ts'
import { FILE_LIMITS } from './limits.ts'
import { readText } from './text.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'sluice-text-'))

async function read(content: string | Uint8Array) {
  const file = path.join(folder, 'x.txt')
  writeFileSync(file, content)
  return collect(readText({ path: file, name: 'x.txt' }, {}, FILE_LIMITS))
}

test('readText() gives a small text as one part, unchanged', async () => {
  assert.deepEqual(await read('one\r\n\ttwo Größe\n'), [
    { pageContent: 'one\r\n\ttwo Größe\n', metadata: {}, last: true },
  ])
})

test('readText() gives a large text in parts, of which only the last is marked as last', async () => {
  const text = 'Zeile über Zeile 漢字 🎈\n'.repeat(40_000)
  const parts = await read(text)
  assert.ok(parts.length > 2)
  assert.ok(parts.every((part, index) => 'last' in part && part.last === (index === parts.length - 1)))
  assert.equal(parts.map((part) => ('pageContent' in part ? part.pageContent : '')).join(''), text)
})

test('readText() gives nothing for an empty file or one of white space', async () => {
  assert.deepEqual(await read(''), [])
  assert.deepEqual(await read(' \n\t\n'), [])
})

test('readText() tells how many bytes are no characters, and not the U+FFFD of the file [upsert:dropped:kinds]', async () => {
  const broken = Buffer.concat([
    Buffer.from(`Größe\n${'Zeile über Zeile\n'.repeat(30_000)}`),
    Buffer.from([0xff, 0x2e, 0xfe]),
  ])
  const items = await read(broken)
  assert.deepEqual(items.at(-1), { dropped: { kind: 'undecodedCharacter', count: 2 } })
  assert.equal(items.filter((item) => 'dropped' in item).length, 1)
  assert.ok((await read('Größe \ufffd')).every((item) => !('dropped' in item)))
  const wide = Buffer.concat([Buffer.from('\ufeffOtters', 'utf16le'), Buffer.from([0x00, 0xd8, 0x2e, 0x00])])
  assert.deepEqual((await read(wide)).at(-1), { dropped: { kind: 'undecodedCharacter', count: 1 } })
})
