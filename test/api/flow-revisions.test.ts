import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADMIN_KEY, makePlatform } from '../support/platform.ts'

const platform = await makePlatform()

type Flow = { id: string; name: string; revision: number; flowData: string; apikeyid: string | null }
type Revision = { number: number; savedBy: string; name: string; changes: string[] }

const make = async (name: string) =>
  (
    await platform.manage<Flow>('POST', '/api/v1/chatflows', {
      name,
      flowData: { nodes: [], edges: [] },
    })
  ).body

const put = (id: string, body: object, tag?: string) =>
  platform.call<Flow & { code?: string; message?: string }>('PUT', `/api/v1/chatflows/${id}`, {
    key: ADMIN_KEY,
    body,
    headers: tag === undefined ? {} : { 'if-match': tag },
  })

const revisions = async (id: string) =>
  (await platform.manage<{ data: Revision[] }>('GET', `/api/v1/chatflows/${id}/revisions`)).body.data

test('two tabs never overwrite each other: the second save is 412 [studio:revisions]', async () => {
  const { id } = await make('Two tabs')
  const read = await platform.manage('GET', `/api/v1/chatflows/${id}`)
  assert.equal(read.headers.get('etag'), '"1"')
  const first = await put(id, { name: 'First' }, '"1"')
  assert.deepEqual([first.status, first.headers.get('etag'), first.body.revision], [200, '"2"', 2])
  const second = await put(id, { name: 'Second' }, '"1"')
  assert.deepEqual([second.status, second.body.code], [412, 'flow_changed'])
  assert.match(second.body.message!, /its revision is 2, this change is based on 1$/)
  assert.equal((await put(id, { name: 'Third' }, '*')).body.name, 'Third')
  // A proxy that compresses answers makes the tag a weak one.
  for (const tag of ['"3"', 'W/"3"']) assert.equal((await put(id, { name: 'Third' }, tag)).body.revision, 3)
  for (const tag of ['3', '"2", "3"', '"x"'])
    assert.deepEqual((await put(id, { name: 'x' }, tag)).body.code, 'header_invalid')
})

test('changes at once without If-Match all hold [studio:revisions]', async () => {
  const { id } = await make('At once')
  const bodies = [{ name: 'New name' }, { category: 'c' }, { chatbotConfig: { a: 1 } }, { isPublic: true }]
  const answers = await Promise.all(bodies.map((body) => put(id, body)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200],
  )
  const { body } = await platform.manage<object>('GET', `/api/v1/chatflows/${id}`)
  assert.partialDeepStrictEqual(body, {
    name: 'New name',
    category: 'c',
    chatbotConfig: '{"a":1}',
    isPublic: true,
    revision: 5,
  })
})

test('GET revisions names author and changes of each save, settings and keys too [studio:revisions]', async () => {
  const flow = await make('Authors')
  const key = await platform.key({ scopes: ['manage'] })
  const settings = await platform.call('PATCH', `/api/v1/chatflows/${flow.id}/settings`, {
    key: key.apiKey,
    body: { set: { rateLimit: '5/60s' } },
  })
  assert.equal(settings.status, 200, settings.text)
  assert.equal(settings.headers.get('etag'), '"2"')
  await platform.manage('POST', '/api/v1/apikey', { keyName: 'closing', bind: [flow.id] })
  const stale = await platform.call('PATCH', `/api/v1/chatflows/${flow.id}/settings`, {
    key: key.apiKey,
    headers: { 'if-match': '"2"' },
    body: { set: { rateLimit: 'off' } },
  })
  assert.equal(stale.status, 412)
  assert.deepEqual(
    (await revisions(flow.id)).map(({ number, savedBy, changes }) => [number, savedBy, changes.join()]),
    [
      [3, 'the new key closing', 'apikeyid'],
      [2, 'a key', 'apiConfig'],
      [1, 'ADMIN_KEY', ''],
    ],
  )
})

test('an earlier revision is restored as the newest, without its slug and key [studio:revisions]', async () => {
  const flow = await make('Before')
  const { id: keyId } = await platform.key()
  await put(flow.id, {
    name: 'After',
    slug: 'after-the-change',
    apikeyid: keyId,
    flowData: { nodes: [], edges: [], note: 1 },
  })
  const restore = (number: number, headers = {}) =>
    platform.call<Flow & { slug: string }>(
      'POST',
      `/api/v1/chatflows/${flow.id}/revisions/${number}/restore`,
      { key: ADMIN_KEY, headers },
    )
  assert.equal((await restore(1, { 'if-match': '"1"' })).status, 412)
  const { status, body } = await restore(1, { 'if-match': '"2"' })
  assert.equal(status, 200)
  assert.partialDeepStrictEqual(body, {
    name: 'Before',
    slug: 'after-the-change',
    apikeyid: keyId,
    flowData: flow.flowData,
    revision: 3,
  })
  const old = await platform.manage<{ flow: Flow }>('GET', `/api/v1/chatflows/${flow.id}/revisions/2`)
  assert.equal(old.body.flow.name, 'After')
  for (const number of [9, 0]) assert.equal((await restore(number)).status, 404)
  const bad = await platform.manage('GET', `/api/v1/chatflows/${flow.id}/revisions/x`)
  assert.equal(bad.status, 400)
})
