import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http'
import { test } from 'node:test'
import type { FlowRow } from '../contract/flow-store.ts'
import { isForeignPage, mayPageAsk, pageRefusalMessage } from './cross-origin.ts'

const flow = (allowedOrigins: string[] = [], more: object = {}) =>
  ({ config: { chatbotConfig: { allowedOrigins, ...more } }, apiKeyId: null }) as unknown as FlowRow
const closed = { ...flow(), apiKeyId: 'key' }
const host = '127.0.0.1:3000'

const foreign = (headers: IncomingHttpHeaders, target = flow(), loopback = true) =>
  isForeignPage(headers, target, loopback)

test('isForeignPage() is false for programs and for pages of the server', () => {
  assert.equal(foreign({ host }), false)
  assert.equal(foreign({ host, origin: 'http://127.0.0.1:3000', 'sec-fetch-site': 'same-origin' }), false)
  assert.equal(foreign({ host, 'sec-fetch-site': 'none' }), false)
})

test('isForeignPage() is true for pages of other sites, of another port and with a hidden origin', () => {
  assert.equal(foreign({ host, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }), true)
  assert.equal(foreign({ host, origin: 'http://127.0.0.1:8080' }), true)
  assert.equal(foreign({ host, origin: 'null' }), true)
  assert.equal(foreign({ host, 'sec-fetch-site': 'cross-site' }), true)
})

test('isForeignPage() is false for sites that the flow lists, as origins or as hosts', () => {
  for (const listed of ['https://shop.example', 'shop.example'])
    assert.equal(foreign({ host, origin: 'https://shop.example' }, flow([listed])), false)
  assert.equal(foreign({ host, origin: 'https://shop.example.evil' }, flow(['shop.example'])), true)
})

test('isForeignPage() is true for a foreign name that points to this machine, if only this machine can reach the server', () => {
  const rebound = { host: 'evil.example:3000', origin: 'http://evil.example:3000' }
  assert.equal(foreign(rebound), true)
  assert.equal(foreign(rebound, flow(), false), false)
})

for (const { origin, target, at = host, loopback = true, may } of [
  { origin: undefined, target: flow(), may: true },
  { origin: 'http://127.0.0.1:3000', target: flow(['shop.example']), may: true },
  { origin: 'http://localhost:8080', target: flow(), may: true },
  { origin: 'http://[::1]:8080', target: flow(), may: true },
  { origin: 'https://shop.example', target: flow(), may: false },
  { origin: 'http://127.0.0.1.evil.example', target: flow(), may: false },
  { origin: 'http://evil.example:3000', target: flow(), at: 'evil.example:3000', may: false },
  {
    origin: 'http://ours.example:3000',
    target: flow(['shop.example']),
    at: 'ours.example:3000',
    loopback: false,
    may: true,
  },
  { origin: 'null', target: flow(), may: false },
  { origin: 'https://shop.example', target: flow(['']), may: false },
  { origin: 'https://shop.example', target: flow(), loopback: false, may: true },
  { origin: 'https://shop.example', target: closed, may: true },
  { origin: 'https://shop.example', target: flow(['https://shop.example']), may: true },
  { origin: 'https://shop.example', target: flow(['*']), may: true },
  { origin: 'null', target: flow(['null']), may: true },
  { origin: 'http://localhost:8080', target: flow(['shop.example']), may: false },
  { origin: 'https://other.example', target: flow(['shop.example']), loopback: false, may: false },
] as { origin?: string; target: FlowRow; at?: string; loopback?: boolean; may: boolean }[]) {
  const { chatbotConfig } = target.config as { chatbotConfig: { allowedOrigins: string[] } }
  const list = chatbotConfig.allowedOrigins.join(', ') || 'nothing'
  const server = loopback ? 'this machine' : 'the internet'
  const kind = target.apiKeyId === null ? 'open' : 'closed'
  test(`mayPageAsk() is ${may} for ${origin ?? 'a program'}, an ${kind} flow that lists ${list}, a server of ${server} at ${at}`, () => {
    assert.equal(mayPageAsk({ host: at, ...(origin === undefined ? {} : { origin }) }, target, loopback), may)
  })
}

test('pageRefusalMessage() is the message of the flow, or the default', () => {
  assert.equal(pageRefusalMessage(flow([], { allowedOriginsError: 'Not here' })), 'Not here')
  assert.equal(
    pageRefusalMessage(flow([], { allowedOriginsError: '' })),
    'This site is not allowed to access this chatbot',
  )
})
