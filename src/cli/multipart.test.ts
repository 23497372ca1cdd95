import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { Busboy } from '@fastify/busboy'
import { collect } from '../../test/support/collect.ts'
import { multipart } from './multipart.ts'
import type { UploadFile } from './upload-file.ts'

const file = (
  name: string,
  content: string,
  size: number | undefined = Buffer.byteLength(content),
): UploadFile => ({
  name,
  from: name,
  size,
  async *open() {
    yield Buffer.from(content)
  },
})

test('multipart() makes a body from which a server reads the fields, the files, and their names with paths', async () => {
  const body = multipart(
    [
      ['chunkSize', '500'],
      ['metadata', '{"team": "ops"}'],
    ],
    [file('guide/a.txt', 'one\r\n--sluice'), file('ü 東京.md', ''), file('c.txt', '3')],
  )
  const parser = new Busboy({ headers: { 'content-type': body.type }, preservePath: true })
  const fields: [string, string][] = []
  const files: Promise<[string, string, string]>[] = []
  parser.on('field', (name, value) => fields.push([name, value]))
  parser.on('file', (part, stream, name) =>
    files.push(buffer(stream).then((bytes) => [part, name, bytes.toString()])),
  )
  await new Promise((resolve) => Readable.from(body.chunks()).pipe(parser).on('finish', resolve))
  assert.deepEqual(fields, [
    ['chunkSize', '500'],
    ['metadata', '{"team": "ops"}'],
  ])
  assert.deepEqual(await Promise.all(files), [
    ['files', 'guide/a.txt', 'one\r\n--sluice'],
    ['files', 'ü 東京.md', ''],
    ['files', 'c.txt', '3'],
  ])
})

test('multipart() has its length before anything is read, unless the size of a file is not known', async () => {
  const known = multipart([['a', 'ü']], [file('x.txt', 'abc'), file('y.txt', '')])
  assert.equal(Buffer.concat(await collect(known.chunks())).length, known.length)
  const unknown = multipart([], [{ ...file('x.txt', 'abc'), size: undefined }, file('y.txt', '')])
  assert.equal(unknown.length, undefined)
})

test('multipart() escapes names, so that none ends its header', async () => {
  const body = multipart([], [file('a"; name="evil\r\nX: y', '')])
  const text = Buffer.concat(await collect(body.chunks())).toString()
  assert.ok(text.includes('filename="a%22; name=%22evil%0D%0AX: y"\r\n'))
})
