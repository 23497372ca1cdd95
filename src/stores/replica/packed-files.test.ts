import assert from 'node:assert/strict'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { DamagedCopy, packFiles, unpackFiles } from './packed-files.ts'

const signal = new AbortController().signal

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-packed-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A folder with three files, of which one is empty, and their packed bytes. */
async function packed(t: TestContext) {
  const folder = newFolder(t)
  mkdirSync(path.join(folder, 'below'))
  const files = { 'one.db': Buffer.from('first'), empty: Buffer.alloc(0), 'below/two': Buffer.from('second') }
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(folder, name), content)
  const { size, read } = await packFiles(folder, Object.keys(files))
  const pieces: Uint8Array[] = []
  for await (const piece of read(signal)) pieces.push(piece)
  const bytes = Buffer.concat(pieces)
  assert.equal(bytes.length, size)
  return { files, bytes }
}

async function* inPieces(bytes: Uint8Array, length: number) {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

const all = () => true

test('packed files are unpacked as they were, wherever the stream is cut [server:copies]', async (t) => {
  const { files, bytes } = await packed(t)
  for (const length of [1, 3, 7, 64, bytes.length]) {
    const to = newFolder(t)
    await unpackFiles(inPieces(bytes, length), to, all)
    for (const [name, content] of Object.entries(files))
      assert.deepEqual(readFileSync(path.join(to, name)), content)
  }
})

test('a stream that is shorter or longer than its files, or has no list, is a damaged copy [server:copies]', async (t) => {
  const { bytes } = await packed(t)
  const changed = Buffer.from(bytes)
  changed[0] = 255
  const streams = [bytes.subarray(0, 2), bytes.subarray(0, -1), Buffer.concat([bytes, bytes]), changed]
  for (const stream of [...streams, Buffer.from('\0\0\0\x02no'), Buffer.from('\0\0\0\x02{}')])
    await assert.rejects(unpackFiles(inPieces(stream, 16), newFolder(t), all), DamagedCopy)
})

test('a file with another name than those of a copy is not written [server:copies]', async (t) => {
  const { bytes } = await packed(t)
  const to = newFolder(t)
  const isExpected = (name: string) => name !== 'below/two'
  await assert.rejects(unpackFiles(inPieces(bytes, 16), to, isExpected), DamagedCopy)
  assert.deepEqual(readdirSync(to), [])
})

test('a file that becomes shorter while it is packed ends the stream with an error [server:copies]', async (t) => {
  const folder = newFolder(t)
  writeFileSync(path.join(folder, 'file'), 'content')
  const { read } = await packFiles(folder, ['file'])
  truncateSync(path.join(folder, 'file'), 3)
  await assert.rejects(async () => {
    for await (const _ of read(signal));
  }, /file is shorter than it was/)
})
