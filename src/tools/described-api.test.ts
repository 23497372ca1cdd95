import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { createEgress } from '../kit/egress/client.ts'
import { createEgressRules } from '../kit/egress/rules.ts'
import { describedApiTool, serversIn } from './described-api.ts'

const seen: { method: string; url: string; key: unknown; body: string }[] = []
const http = createServer(async (request, response) => {
  const { method = '', url = '', headers } = request
  seen.push({ method, url, key: headers['x-key'], body: await text(request) })
  response.end('{"temperature": 3}')
})
http.listen(0, '127.0.0.1')
await once(http, 'listening')
after(() => http.close())
const address = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
/** The same server under a name that no description has. */
const elsewhere = address.replace('127.0.0.1', 'localhost')
const egress = createEgress({
  rules: createEgressRules({ loopback: true, allow: [new URL(address).host, new URL(elsewhere).host] }),
})
const api = { description: `BASE URL: ${address}/. Path /v1/forecast`, headers: { 'x-key': 'of-the-test' } }
const signal = new AbortController().signal

test('serversIn() has each server of a description once', () => {
  assert.deepEqual(
    serversIn('See https://api.example.com/v1, (https://api.example.com) or http://b:81/x. https://'),
    ['https://api.example.com', 'http://b:81'],
  )
})

test('describedApiTool() calls what the model writes at a described server, with the headers', async () => {
  const get = describedApiTool({ method: 'GET', ...api }, egress)
  const { output, failed } = await get.call({ url: `${address}/v1/forecast?q=Oslo` }, signal)
  assert.match(output, /HTTP 200 OK\n\n\{"temperature":3\}/)
  assert.equal(failed, undefined)
  const post = describedApiTool({ method: 'POST', ...api }, egress)
  assert.deepEqual([get.unsafe, post.unsafe], [false, true])
  await post.call({ url: `${address}/say`, data: { message: 'Hi' } }, signal)
  assert.deepEqual(seen, [
    { method: 'GET', url: '/v1/forecast?q=Oslo', key: 'of-the-test', body: '' },
    { method: 'POST', url: '/say', key: 'of-the-test', body: '{"message":"Hi"}' },
  ])
})

test('describedApiTool() sends nothing to a server that is not described', async () => {
  const get = describedApiTool({ method: 'GET', ...api }, egress)
  const before = seen.length
  for (const url of [elsewhere, `${address}@${new URL(elsewhere).host}/`, 'no address'])
    assert.equal((await get.call({ url }, signal)).failed, true)
  const described = describedApiTool({ method: 'GET', ...api, description: elsewhere }, egress)
  assert.equal((await described.call({ url: elsewhere }, signal)).failed, undefined)
  seen.pop()
  assert.equal(seen.length, before)
})
