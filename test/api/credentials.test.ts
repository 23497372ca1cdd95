import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { makePlatform, testScenarios } from '../support/platform.ts'

const SECRET = 'sk-never-to-be-seen-again'

type Shown = { id: string; name: string; credentialName: string }

const platform = await makePlatform()
const created = await platform.manage<Shown>('POST', '/api/v1/credentials', {
  name: 'Ours',
  credentialName: 'openAIApi',
  plainDataObj: { openAIApiKey: SECRET },
})
const { id } = created.body
const { apiKey } = await platform.key()

test('POST /credentials answers what was made, and never its data', () => {
  assert.equal(created.status, 200)
  assert.partialDeepStrictEqual(created.body, { name: 'Ours', credentialName: 'openAIApi' })
  assert.match(id, /^[0-9a-f-]{36}$/)
  assert.ok(!created.text.includes(SECRET))
})

test('GET /credentials lists credentials, and those of one kind, never their data', async () => {
  const all = await platform.manage<Shown[]>('GET', '/api/v1/credentials')
  assert.deepEqual(
    all.body.map((one) => one.id),
    [id],
  )
  const google = await platform.manage<Shown[]>(
    'GET',
    '/api/v1/credentials?credentialName=googleGenerativeAI',
  )
  assert.deepEqual(google.body, [])
  const one = await platform.manage<Shown>('GET', `/api/v1/credentials/${id}`)
  for (const { text } of [all, one]) assert.ok(!text.includes(SECRET))
})

test('PUT /credentials/:id changes what is given', async () => {
  const path = `/api/v1/credentials/${id}`
  const renamed = await platform.manage<Shown>('PUT', path, { name: 'Theirs' })
  assert.partialDeepStrictEqual(renamed.body, { id, name: 'Theirs', credentialName: 'openAIApi' })
  const changed = await platform.manage('PUT', path, { plainDataObj: { openAIApiKey: `${SECRET}-2` } })
  assert.equal(changed.status, 200)
  assert.ok(!changed.text.includes(SECRET))
})

test('DELETE /credentials/:id takes one away, once', async () => {
  const { body } = await platform.manage<Shown>('POST', '/api/v1/credentials', {
    name: 'Brief',
    credentialName: 'localAIApi',
    plainDataObj: {},
  })
  const gone = await platform.manage('DELETE', `/api/v1/credentials/${body.id}`)
  assert.deepEqual(gone.body, { raw: [], affected: 1 })
  assert.equal((await platform.manage('DELETE', `/api/v1/credentials/${body.id}`)).status, 404)
})

testScenarios(platform, [
  {
    name: 'GET /credentials needs a manager',
    path: '/api/v1/credentials',
    status: 401,
    expect: { code: 'unauthorized' },
  },
  {
    name: 'GET /credentials is closed to the keys of flows',
    path: '/api/v1/credentials',
    key: apiKey,
    status: 403,
    expect: { code: 'scope_missing' },
  },
  {
    name: 'GET /credentials/:id answers 401 before it looks the credential up',
    path: '/api/v1/credentials/nobody',
    status: 401,
  },
  {
    name: 'POST /credentials names what is missing and repeats no value',
    method: 'POST',
    path: '/api/v1/credentials',
    key: 'the-management-key-of-the-tests',
    body: { name: 'x', credentialName: 'y', plainDataObj: { key: [SECRET] } },
    status: 400,
    expect: { code: 'body_invalid' },
    absent: [SECRET],
  },
])

test('the data of a credential is in no file and in no line of the log', () => {
  for (const name of readdirSync(platform.dataDirectory)) {
    const file = path.join(platform.dataDirectory, name)
    if (statSync(file).isFile()) assert.ok(!readFileSync(file, 'latin1').includes(SECRET), name)
  }
  assert.ok(!JSON.stringify(platform.log).includes(SECRET))
})
