import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFrameReader } from './event-frames.ts'

test('createFrameReader() gives each event once, however the text is cut, and leaves out comments', () => {
  const text =
    'message:\ndata:{"event":"token","data":"a\\n\\nb"}\n\n:heartbeat\n\nmessage:\ndata:{"event":"end","data":"[DONE]"}\n\n'
  for (const size of [1, 7, 1000]) {
    const read = createFrameReader()
    const events = []
    for (let at = 0; at < text.length; at += size) events.push(...read(text.slice(at, at + size)))
    assert.deepEqual(events, [
      { event: 'token', data: 'a\n\nb' },
      { event: 'end', data: '[DONE]' },
    ])
  }
})
