import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { sluice as runSluice, temporaryDirectory } from '../support/command-line.ts'
import { ADMIN_KEY, makePlatform } from '../support/platform.ts'

/** Copies of a flow that needs a key: duplicates, clones, exports and imports never open what was closed. */
const platform = await makePlatform()
const { manage } = platform
const sluice = (...argv: string[]) => runSluice([...argv, '--url', platform.url, '--key', ADMIN_KEY])

type Flow = { id: string; slug: string; apikeyid: string | null; apiConfig: string; chatbotConfig: string }
type Access = { state: string; key: { name: string } | null; notes: string[] }
type Imported = { flow: Flow; report: { access: Access; settings?: object }; imported: Imported[] }
type Export = { file: { sluice: Record<string, unknown> } }
type Failure = { code: string; message: string }

const makeKey = async (keyName: string, rights: object = {}) =>
  (await manage<{ id: string; apiKey: string }>('POST', '/api/v1/apikey', { keyName, ...rights })).body
const made = async (name: string, more: object = {}) =>
  (await manage<Flow>('POST', '/api/v1/chatflows', { name, template: 'quickstart', ...more })).body
const exported = async (flow: string) =>
  (await manage<Export>('GET', `/api/v1/chatflows/${flow}/export`)).body.file
const take = (file: object, query = '') =>
  manage<Imported & Failure>('POST', `/api/v1/chatflows/import${query}`, file)
const statusOf = async (flow: string, key?: string) =>
  (await platform.call('GET', `/api/v1/vector/query/${flow}?q=x`, key === undefined ? {} : { key })).status
const summaryOf = async (id: string) =>
  (await manage<{ id: string; key: object | null }[]>('GET', '/api/v1/flows')).body.find(
    (flow) => flow.id === id,
  )!.key

const support = await makeKey('support')
const apiConfig = { rateLimit: { status: true, limitMax: 9, limitDuration: 60 } }
const chatbotConfig = { allowedOrigins: ['https://a.example'] }
const closed = await made('Closed', { apikeyid: support.id, apiConfig, chatbotConfig })
const open = await made('Open')

test('POST /chatflows with copyOf keeps key, limits and origins of the flow [flow:access-of-copies]', async () => {
  const { status, body: copy } = await manage<Flow>('POST', '/api/v1/chatflows', {
    name: 'Copy',
    copyOf: 'closed',
  })
  assert.equal(status, 200)
  assert.deepEqual(
    [copy.apikeyid, JSON.parse(copy.apiConfig), JSON.parse(copy.chatbotConfig)],
    [support.id, apiConfig, chatbotConfig],
  )
  assert.deepEqual([await statusOf(copy.id), await statusOf(copy.id, support.apiKey)], [401, 200])
  const none = await manage<Failure>('POST', '/api/v1/chatflows', { name: 'Copy', copyOf: 'nothing' })
  assert.deepEqual([none.status, none.body.code], [404, 'flow_not_found'])
  const both = await manage('POST', '/api/v1/chatflows', {
    name: 'x',
    copyOf: 'closed',
    template: 'quickstart',
  })
  assert.equal(both.status, 400)
})

test('an import of a closed flow is closed until a key is bound, on every path [flow:access-of-copies]', async () => {
  const file = await exported(closed.id)
  assert.equal(file.sluice.access, 'key')
  assert.equal((await exported(open.id)).sluice.access, 'open')
  assert.ok(!JSON.stringify(file).includes(support.id))

  for (const query of ['?name=Back', '?name=Bare&keepSettings=false']) {
    const { flow, report } = (await take(file, query)).body
    assert.partialDeepStrictEqual(report.access, { state: 'closed', key: null, notes: [] })
    assert.equal(flow.apikeyid, 'closed')
    assert.deepEqual(await summaryOf(flow.id), { id: 'closed', name: null })
    assert.equal(await statusOf(flow.id), 401)
    assert.equal(await statusOf(flow.id, support.apiKey), 401)
    assert.equal((await platform.query(flow.id, { query: 'x' })).status, 200)
    // Binding a key is what opens it to the holders of that key.
    const set = { set: { key: 'support' } }
    assert.equal((await manage('PATCH', `/api/v1/chatflows/${flow.id}/settings`, set)).status, 200)
    assert.deepEqual([await statusOf(flow.id), await statusOf(flow.id, support.apiKey)], [401, 200])
  }
  const opened = (await take(await exported(open.id))).body
  assert.deepEqual([opened.report.access.state, await statusOf(opened.flow.id)], ['open', 200])
  // The file of an export, sent as a drawing.
  const drawn = await manage<Flow>('POST', '/api/v1/chatflows', { name: 'Drawn', flowData: file })
  assert.equal(drawn.body.apikeyid, 'closed')
})

test('an import of Flowise with apikeyid is closed, and a key of this server that the file names is not bound [flow:access-of-copies]', async () => {
  const { flowData } = (await manage<{ flowData: string }>('GET', `/api/v1/chatflows/${open.id}`)).body
  const row = (name: string, apikeyid: unknown) => ({ name, flowData, apikeyid })
  const foreign = (await take(row('Foreign', '0dc6c6ac-32b5-4ac5-9b3d-5d4f2d0ed4a4'))).body
  assert.deepEqual([foreign.report.access.state, await statusOf(foreign.flow.id)], ['closed', 401])

  const named = (await take(row('Named', support.id))).body
  assert.equal(await statusOf(named.flow.id, support.apiKey), 401)
  assert.match(named.report.access.notes.join(), /names the key support of this server\. It was not bound/)

  const whole = { ChatFlow: [row('One', 'x'), row('Two', null), row('Three', ''), row('Four', 7)] }
  const { imported } = (await take(whole)).body
  assert.deepEqual(
    imported.map(({ report }) => report.access.state),
    ['closed', 'open', 'open', 'closed'],
  )
  const damaged = (await take({ ...row('Damaged', 'x'), apiConfig: '{"rateLimit":' })).body
  assert.match(damaged.report.access.notes.join(), /The setting apiConfig of the file cannot be read/)
})

test('an import binds the key that the request names, and says what that key opens and may not do', async () => {
  const file = await exported(closed.id)
  const bound = (await take(file, '?name=Bound&key=support')).body
  assert.deepEqual([bound.report.access.state, bound.report.access.key?.name], ['key', 'support'])
  assert.match(bound.report.access.notes.join(), /The key support also opens .*closed.*: whoever has it/)
  assert.deepEqual([await statusOf(bound.flow.id), await statusOf(bound.flow.id, support.apiKey)], [401, 200])

  const loader = await makeKey('loader', { scopes: ['upsert'] })
  const narrow = (await take(file, `?name=Narrow&key=${loader.id}`)).body.report.access
  assert.deepEqual(narrow.notes, [
    'The key loader has only the scope upsert: calls that need query are refused.',
  ])
  const elsewhere = await makeKey('elsewhere', { flows: [open.id] })
  assert.match(
    (await take(file, `?name=Elsewhere&key=${elsewhere.id}`)).body.report.access.notes.join(),
    /The key elsewhere also opens open: /,
  )
  await Promise.all([makeKey('twin'), makeKey('twin')])
  const count = async () => (await manage<unknown[]>('GET', '/api/v1/chatflows')).body.length
  const before = await count()
  const twins = await take(file, '?key=twin')
  assert.deepEqual([twins.status, twins.body.code], [400, 'setting_invalid'])
  assert.match(twins.body.message, /2 have the name twin: give an id/)
  const missing = await take(file, '?key=suport')
  assert.deepEqual([missing.status, missing.body.code], [404, 'key_not_found'])
  assert.equal(await count(), before)
})

test('a flow whose key was deleted stays closed, as do its copies and its export, and a client may send its row back', async () => {
  const gone = await makeKey('gone')
  const flow = await made('Orphan', { apikeyid: gone.id })
  await manage('DELETE', `/api/v1/apikey/${gone.id}`)
  assert.equal(await statusOf(flow.id), 401)
  const copy = (await manage<Flow>('POST', '/api/v1/chatflows', { name: 'Orphan copy', copyOf: flow.id }))
    .body
  assert.equal(await statusOf(copy.id), 401)
  assert.equal((await take(await exported(flow.id), '?name=Again')).body.report.access.state, 'closed')
  // Clients of Flowise send whole rows; without the field, the key stays.
  for (const sent of [{ name: 'Orphan 2', apikeyid: gone.id }, { name: 'Orphan 3' }]) {
    const put = await manage<Flow>('PUT', `/api/v1/chatflows/${flow.id}`, sent)
    assert.deepEqual([put.status, put.body.apikeyid], [200, gone.id])
  }
  const unknown = await manage<Failure>('POST', '/api/v1/chatflows', {
    name: 'Unknown',
    template: 'quickstart',
    apikeyid: 'sk-unknown',
  })
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'key_not_found'])
})

test('a restored revision and a restored flow keep the key that the flow has now', async () => {
  const flow = await made('Restored')
  await manage('PATCH', `/api/v1/chatflows/${flow.id}/settings`, { set: { key: 'closed' } })
  const back = await manage<Flow>('POST', `/api/v1/chatflows/${flow.id}/revisions/1/restore`)
  assert.equal(back.body.apikeyid, 'closed')
  await manage('DELETE', `/api/v1/chatflows/${flow.id}`)
  const restored = await manage<Flow>('POST', `/api/v1/chatflows/${flow.id}/restore`, {})
  assert.equal(restored.body.apikeyid, 'closed')
  assert.equal(await statusOf(flow.id), 401)
  // A new key closes such a flow with itself.
  const key = await makeKey('opener', { bind: [flow.id] })
  assert.equal(await statusOf(flow.id, key.apiKey), 200)
})

test('sluice flow export, import, list, show and clone say that a flow needs a key [flow:access-of-copies]', async (t) => {
  const file = path.join(temporaryDirectory(t), 'closed.json')
  const out = await sluice('flow', 'export', 'closed', '--output', file)
  assert.match(out.stderr, /left out {2}the API key of the flow: an import is closed until one is bound/)
  const taken = await sluice('flow', 'import', file, '--name', 'Taken')
  assert.match(
    taken.stderr,
    /Access\n {2}Closed: it needed an API key.*\n {2}.*flow set taken key=NAME\n/,
    taken.stderr,
  )
  assert.match(taken.stderr, /Allowed origins: https:\/\/a\.example/)
  assert.match((await sluice('flow', 'list')).stdout, /^taken +Taken +CHATFLOW +closed /m)
  assert.match((await sluice('flow', 'show', 'taken')).stdout, /^access +closed to all but managers until/m)
  const cloned = await sluice('flow', 'clone', 'taken', 'Taken twice')
  assert.match(cloned.stderr, /It is closed as its original, until a key is bound\./)
  assert.equal(await statusOf('taken-twice'), 401)
  const bound = await sluice('flow', 'import', file, '--name', 'Bound here', '--bind', 'support')
  assert.match(
    bound.stderr,
    /Access\n {2}Callers need the API key support\.\n {2}The key support also opens /,
  )
  writeFileSync(file, JSON.stringify(await exported(open.id)))
  const opened = await sluice('flow', 'import', file, '--name', 'Opened')
  assert.match(opened.stderr, /Access\n {2}Open: whoever reaches the server may call it\.\n/)
})
