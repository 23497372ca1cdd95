import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { makePlatform } from '../support/platform.ts'
import { untilEqual } from '../support/until.ts'

/** A body may arrive for hours: a key that is deleted or changed meanwhile has no effect any more. */

const platform = await makePlatform({}, { servers: 1 })
const scopes = ['predict', 'upsert', 'query']
const closed = await platform.flow({ name: 'Closed', overridable: ['files'] })
const owner = await platform.key({ scopes })
await platform.manage('PUT', `/api/v1/chatflows/${closed}`, { apikeyid: owner.id })
const open = await platform.flow({ name: 'Open', overridable: ['files'] })

const sourcesOf = async (flow: string) =>
  (await platform.manage<{ total: number }>('GET', `/api/v1/vector/sources/${flow}`)).body.total

/** Sends half of an upload, does something when the server has begun to receive it, sends the rest, and gives the answer. */
async function uploadAround(flow: string, key: string, act: () => Promise<unknown>, where = 'upsert') {
  const { hostname, port } = new URL(platform.url)
  const socket = connect(Number(port), hostname)
  const body = [
    '--b\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\nThe rent',
    ' is 700.\r\n--b--\r\n',
  ] as const
  const head = [
    `POST /api/v1/vector/${where}/${flow}?async=false HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    `Authorization: Bearer ${key}`,
    'Content-Type: multipart/form-data; boundary=b',
    `Content-Length: ${body.join('').length}`,
    'Connection: close',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body[0]}`)
  await untilEqual(() => platform.uploads().length, 1)
  await act()
  socket.write(body[1])
  const answer = await text(socket)
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])
}

for (const where of ['upsert', 'dry-run'])
  test(`an upload (${where}) whose key is deleted while it arrives is refused, and leaves nothing [access:meanwhile]`, async () => {
    const key = await platform.key({ scopes, flows: [closed] })
    const remove = () => platform.manage('DELETE', `/api/v1/apikey/${key.id}`)
    assert.equal(await uploadAround(closed, key.apiKey, remove, where), 401)
    assert.deepEqual([platform.uploads(), await sourcesOf(closed)], [[], 0])
  })

test('the upload of a key with pins into an open flow does not become one without them [access:meanwhile]', async () => {
  const made = { keyName: 'pinned', scopes, flows: [open], pins: { tenant: 'acme' } }
  const { body: key } = await platform.manage<{ id: string; apiKey: string }>('POST', '/api/v1/apikey', made)
  const remove = () => platform.manage('DELETE', `/api/v1/apikey/${key.id}`)
  assert.equal(await uploadAround(open, key.apiKey, remove), 401)
  assert.deepEqual([platform.uploads(), await sourcesOf(open)], [[], 0])
})

test('an upload whose key loses the scope or the flow while it arrives is refused [access:meanwhile]', async () => {
  const key = await platform.key({ scopes, flows: [closed] })
  const change = (rights: object) => () =>
    platform.manage('PUT', `/api/v1/apikey/${key.id}`, { keyName: 'changed', ...rights })
  assert.equal(await uploadAround(closed, key.apiKey, change({ scopes: ['query'], flows: [closed] })), 403)
  await change({ scopes, flows: [closed] })()
  assert.equal(await uploadAround(closed, key.apiKey, change({ scopes, flows: [] })), 401)
  await change({ scopes, flows: [closed] })()
  assert.equal(await uploadAround(closed, key.apiKey, async () => {}), 200)
})
