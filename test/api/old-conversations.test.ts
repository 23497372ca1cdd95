import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { Connection } from '../../src/db/sqlite/connection.ts'
import { form, makePlatform } from '../support/platform.ts'
import { undoTo } from '../support/sqlite-schemas.ts'

/** A data directory of a version in which files did not begin a conversation: schema 34. */

const directory = mkdtempSync(path.join(tmpdir(), 'sluice-old-'))
after(() => rmSync(directory, { recursive: true, force: true }))
const start = () => makePlatform({ DATA_DIR: directory }, { embedded: true })

const before = await start()
const scopes = ['predict', 'upsert', 'query']
const ada = await before.key({ scopes })
const drawing = { overridable: ['files'] }
const closed = await before.flow({ ...drawing, name: 'Closed' })
const open = await before.flow({ ...drawing, name: 'Open' })
const bound = await before.manage('PUT', `/api/v1/chatflows/${closed}`, { apikeyid: ada.id })
assert.equal(bound.status, 200, bound.text)
const bob = await before.key({ scopes, flows: [closed] })
const acme = await before.key({ scopes, flows: [open], ...{ pins: { tenant: 'acme' } } })

const load = (platform: typeof before, flow: string, chatId: string, key?: string) =>
  platform.call('POST', `/api/v1/vector/upsert/${flow}`, {
    ...(key === undefined ? {} : { key }),
    body: form({ 'rent.txt': 'The rent is 700.' }, { chatId }),
  })
const ODD = 'a "chat" \\u of\täda'
for (const [flow, chatId, key] of [
  [closed, 'of ada', ada.apiKey],
  [closed, ODD, ada.apiKey],
  [open, 'of all', undefined],
  [open, 'of acme', acme.apiKey],
] as const)
  assert.equal((await load(before, flow, chatId, key)).status, 200, chatId)
await before.close()

const database = new Connection(path.join(directory, 'sluice.db'))
database.exec(undoTo(34))
database.close()
const platform = await start()

const calls = (flow: string, chatId: string) => {
  const chat = encodeURIComponent(chatId)
  return [
    ['GET', `vector/sources/${flow}?chatId=${chat}`],
    ['GET', `vector/sources/${flow}/text?source=rent.txt&chatId=${chat}`],
    ['GET', `vector/query/${flow}?q=rent&chatId=${chat}`],
    ['GET', `vector/chunks/${flow}?chatId=${chat}`],
  ] as const
}

async function statuses(flow: string, chatId: string, key?: string): Promise<number[]> {
  const found: number[] = []
  for (const [method, place] of calls(flow, chatId))
    found.push((await platform.call(method, `/api/v1/${place}`, key === undefined ? {} : { key })).status)
  return found
}
const [REFUSED, READ] = [
  [403, 403, 403, 403],
  [200, 200, 200, 200],
]

test('files that were in a conversation before files had owners are for managers alone, also after a manager has asked [chat:files:before]', async () => {
  for (const chatId of ['of ada', ODD]) {
    for (const key of [ada.apiKey, bob.apiKey]) {
      assert.deepEqual(await statuses(closed, chatId, key), REFUSED, chatId)
      assert.equal((await load(platform, closed, chatId, key)).status, 403)
    }
    const listed = await platform.manage<{ total: number }>('GET', `/api/v1/${calls(closed, chatId)[0]![1]}`)
    assert.deepEqual([listed.status, listed.body.total], [200, 1], chatId)
    assert.equal((await platform.manage('GET', `/api/v1/${calls(closed, chatId)[2]![1]}`)).status, 200)
    assert.deepEqual(await statuses(closed, chatId, bob.apiKey), REFUSED)
  }
  // A conversation without files is free, as before.
  assert.equal((await load(platform, closed, 'new', bob.apiKey)).status, 200)
  assert.deepEqual(await statuses(closed, 'new', ada.apiKey), REFUSED)
})

test('in an open flow the chat id is still the permission for such files, but not for those of a key with pins [chat:files:before]', async () => {
  assert.deepEqual(await statuses(open, 'of all'), READ)
  assert.equal((await load(platform, open, 'of all')).status, 200)
  assert.deepEqual(await statuses(open, 'of acme'), REFUSED)
})

test('once a manager has removed such a conversation, its id is free [chat:files:before]', async () => {
  const gone = await platform.manage('DELETE', `/api/v1/chatmessage/${closed}?chatId=of%20ada`)
  assert.equal(gone.status, 200, gone.text)
  assert.equal((await load(platform, closed, 'of ada', ada.apiKey)).status, 200)
  assert.deepEqual(await statuses(closed, 'of ada', ada.apiKey), READ)
  assert.deepEqual(await statuses(closed, 'of ada', bob.apiKey), REFUSED)
})
