import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FlowRow } from '../db/flows.ts'
import { isForeignPage } from './origins.ts'

const flow = (allowedOrigins: string[] = []) =>
  ({ config: { chatbotConfig: { allowedOrigins } } }) as unknown as FlowRow
const host = '127.0.0.1:3000'

test('isForeignPage() lets programs and the server’s own pages pass', () => {
  assert.equal(isForeignPage({ host }, flow()), false)
  assert.equal(
    isForeignPage({ host, origin: 'http://127.0.0.1:3000', 'sec-fetch-site': 'same-origin' }, flow()),
    false,
  )
  assert.equal(isForeignPage({ host, 'sec-fetch-site': 'none' }, flow()), false)
})

test('isForeignPage() sees pages of other sites, another port and an origin that hides itself', () => {
  assert.equal(
    isForeignPage({ host, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, flow()),
    true,
  )
  assert.equal(isForeignPage({ host, origin: 'http://127.0.0.1:8080' }, flow()), true)
  assert.equal(isForeignPage({ host, origin: 'null' }, flow()), true)
  assert.equal(isForeignPage({ host, 'sec-fetch-site': 'cross-site' }, flow()), true)
})

test('isForeignPage() lets the sites pass that the flow lists, as origins or as hosts', () => {
  for (const listed of ['https://shop.example', 'shop.example'])
    assert.equal(isForeignPage({ host, origin: 'https://shop.example' }, flow([listed])), false)
  assert.equal(isForeignPage({ host, origin: 'https://shop.example.evil' }, flow(['shop.example'])), true)
})
