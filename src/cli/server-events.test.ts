import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collect } from '../../test/support/collect.ts'
import { readEvents } from './server-events.ts'

async function* inPieces(text: string, size: number) {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const STREAM = [
  'retry: 1000\n\n',
  ': still here\n\n',
  'id: 1.0\nevent: job\ndata: {"ü": 1}\n\n',
  'data:first\ndata: second\n\n',
  'id: 3\r\nevent: job\r\ndata: lines\r\n\r\n',
  'data: never finished\n',
].join('')

for (const size of [1, 2, 7, 1000])
  test(`readEvents() yields whole events from pieces of ${size} bytes`, async () => {
    assert.deepEqual(await collect(readEvents(inPieces(STREAM, size))), [
      { id: '1.0', event: 'job', data: '{"ü": 1}' },
      { id: '1.0', event: 'message', data: 'first\nsecond' },
      { id: '3', event: 'job', data: 'lines' },
    ])
  })
