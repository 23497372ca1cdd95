import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chatPageOf, embedWarnings, frameLine, widgetLines } from './embed-lines.ts'

const flow = { origin: 'https://docs.example.com', id: '0b7c', slug: 'hand book' }

test('widgetLines() and frameLine() name the flow and this server', () => {
  assert.match(widgetLines(flow), /^<script type="module">\n {2}import Chatbot from '.+web\.js'\n/)
  assert.match(widgetLines(flow), /chatflowid: '0b7c', apiHost: 'https:\/\/docs\.example\.com'/)
  assert.equal(chatPageOf(flow), 'https://docs.example.com/chatbot/hand%20book')
  assert.match(frameLine(flow), /src="https:\/\/docs\.example\.com\/chatbot\/hand%20book"/)
})

test('embedWarnings() tells what stops the lines: a key, an address of this machine, no listed site', () => {
  const listed = ['https://example.com']
  assert.deepEqual(embedWarnings({ needsKey: false, allowedOrigins: listed, isLocal: false }), [])
  const [key] = embedWarnings({ needsKey: true, allowedOrigins: listed, isLocal: false })
  assert.match(key!, /^This flow needs a key/)
  assert.match(embedWarnings({ needsKey: false, allowedOrigins: [], isLocal: false })[0]!, /every site/)
  assert.match(embedWarnings({ needsKey: false, allowedOrigins: ['*'], isLocal: false })[0]!, /has \*/)
  const local = embedWarnings({ needsKey: false, allowedOrigins: [], isLocal: true })
  assert.match(local[0]!, /one of this machine/)
  assert.match(local[1]!, /answers only pages of this machine/)
})
