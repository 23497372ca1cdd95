import assert from 'node:assert/strict'
import type { CredentialRow } from '../../src/contract/credential-store.ts'
import { untilEqual } from '../support/until.ts'
import { type MakeRepositories, promisesOf } from './repositories.ts'

const row: CredentialRow = {
  id: 'a',
  name: 'Mine',
  kind: 'openAIApi',
  createdAt: 1,
  updatedAt: 1,
  lastUsedAt: null,
}
const data = { openAIApiKey: 'sk-secret', note: 'ünïcode' }

/** What every store of credentials promises; run by each implementation. */
export function credentialStoreSuite(name: string, make: MakeRepositories): void {
  const promises = promisesOf(`${name}: the CredentialStore`, make)

  promises('gives the data to open() alone', async ({ credentials }) => {
    await credentials.insert(row, data)
    assert.deepEqual(await credentials.open('a'), data)
    assert.deepEqual(await credentials.list(), [row])
    assert.deepEqual(await credentials.find('a'), row)
  })

  promises('opens a credential only where its kind fits', async ({ credentials }) => {
    await credentials.insert(row, data)
    assert.deepEqual(await credentials.open('a', ['other', 'openAIApi']), data)
    assert.deepEqual(await credentials.open('a', []), data)
    await assert.rejects(credentials.open('a', ['googleGenerativeAI']), { code: 'credential_wrong_kind' })
  })

  promises('keeps the data where an update brings none', async ({ credentials }) => {
    await credentials.insert(row, data)
    await credentials.update({ ...row, name: 'Yours', updatedAt: 2 })
    assert.deepEqual(await credentials.find('a'), { ...row, name: 'Yours', updatedAt: 2 })
    assert.deepEqual(await credentials.open('a'), data)
    await credentials.update(row, { openAIApiKey: 'new' })
    assert.deepEqual(await credentials.open('a'), { openAIApiKey: 'new' })
  })

  promises('lists credentials, the oldest first', async ({ credentials }) => {
    await credentials.insert({ ...row, createdAt: 2 }, data)
    await credentials.insert({ ...row, id: 'b' }, data)
    const listed = await credentials.list()
    assert.deepEqual(
      listed.map(({ id }) => id),
      ['b', 'a'],
    )
  })

  promises('notes the last use of one credential, at most once in five minutes', async ({ credentials }) => {
    const now = 1_700_000_040_000
    for (const id of ['a', 'b']) await credentials.insert({ ...row, id }, data)
    credentials.noteUse('a', now)
    credentials.noteUse('a', now + 299_000)
    const times = async () => (await credentials.list()).map(({ lastUsedAt }) => lastUsedAt)
    await untilEqual(times, [now, null])
    for (const id of ['a', 'b']) await credentials.update({ ...row, id })
    assert.deepEqual(await times(), [now, null])
    credentials.noteUse('a', now + 300_000)
    await untilEqual(times, [now + 300_000, null])
  })

  promises('answers a missing credential, and removes one once', async ({ credentials }) => {
    await assert.rejects(credentials.open('a'), { code: 'credential_not_found', status: 404 })
    assert.equal(await credentials.find('a'), undefined)
    assert.equal(await credentials.remove('a'), false)
    await credentials.insert(row, data)
    assert.equal(await credentials.remove('a'), true)
    assert.deepEqual(await credentials.list(), [])
    await assert.rejects(credentials.open('a'), { code: 'credential_not_found' })
  })
}
