import assert from 'node:assert/strict'
import path from 'node:path'
import { existsSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { bodyOf, offline, serve, sluice, temporaryDirectory } from '../../../../test/support/command-line.ts'
import { secretHash } from '../../../kit/key-secret.ts'

async function withFlow(t: TestContext): Promise<string> {
  const directory = path.join(temporaryDirectory(t), 'data')
  const { flows, close } = await offline.open({ directory })
  await flows.insert({
    id: 'flow-1',
    slug: 'quickstart',
    name: 'Quickstart',
    type: 'CHATFLOW',
    flowData: '{"nodes":[],"edges":[]}',
    config: {},
    apiKeyId: null,
    createdAt: 1,
    updatedAt: 1,
  })
  await close()
  return directory
}

async function stored(directory: string) {
  const { keys, close } = await offline.open({ directory })
  try {
    return await keys.list()
  } finally {
    await close()
  }
}

test('sluice key new works on the data directory and prints only the key on standard output', async (t) => {
  const directory = await withFlow(t)
  const line = [
    'key',
    'new',
    'website',
    '--scope',
    'query,upsert',
    '--scope',
    'query',
    '--flow',
    'quickstart',
  ]
  const { code, stdout, stderr } = await sluice([...line, '--data-dir', directory])
  assert.equal(code, 0)
  assert.match(stdout, /^sl_[\w-]{43}\n$/)
  assert.match(stderr, /"website" \(query, upsert\) cannot be shown again/)
  const [row, ...others] = await stored(directory)
  assert.equal(others.length, 0)
  assert.deepEqual([row!.name, row!.scopes, row!.flows], ['website', ['query', 'upsert'], ['flow-1']])
  assert.deepEqual(row!.hash, secretHash(stdout.trim()))
})

test('sluice key new makes the management key before the first start', async (t) => {
  const directory = path.join(temporaryDirectory(t), 'new')
  const { code, stdout } = await sluice([
    'key',
    'new',
    '--scope',
    'manage',
    '--json',
    '--data-dir',
    directory,
  ])
  assert.equal(code, 0)
  const { keyName, scopes, flows } = JSON.parse(stdout)
  assert.deepEqual({ keyName, scopes, flows }, { keyName: 'manage', scopes: ['manage'], flows: [] })
})

test('sluice key new refuses unknown scopes and flows', async (t) => {
  const directory = await withFlow(t)
  const refused = async (...argv: string[]) => {
    const { code, stderr } = await sluice(['key', 'new', ...argv, '--data-dir', directory])
    return `${code} ${stderr.split('\n')[0]}`
  }
  assert.equal(
    await refused('--scope', 'all'),
    '2 sluice: --scope: there is no scope all; there are upsert, query, predict, manage',
  )
  assert.equal(await refused('--flow', 'nope'), '1 sluice: Chatflow nope not found')
  assert.deepEqual(await stored(directory), [])
})

test('sluice key new --bind binds flows in the data directory, or makes no key [key:bind]', async (t) => {
  const directory = await withFlow(t)
  const bound = async () => {
    const { flows, close } = await offline.open({ directory })
    try {
      return (await flows.find('quickstart'))!.apiKeyId
    } finally {
      await close()
    }
  }
  const key = (...argv: string[]) => sluice(['key', 'new', ...argv, '--data-dir', directory])
  assert.match((await key('one', '--bind', 'quickstrat')).stderr, /did you mean quickstart\?/)
  assert.deepEqual([await bound(), await stored(directory)], [null, []])
  const made = await key('one', '--bind', 'quickstart')
  assert.match(made.stderr, /The flow quickstart now needs this key\.\n$/)
  const [row] = await stored(directory)
  assert.equal(await bound(), row!.id)
  const second = await key('two', '--bind', 'quickstart')
  assert.deepEqual([second.code, second.stdout], [1, ''])
  assert.match(second.stderr, /The flow quickstart is bound to the API key one already\n.*--flow/)
  assert.equal((await stored(directory)).length, 1)
  // A flow still needs a key after its key was removed; it can get a new one.
  await sluice(['key', 'rm', 'one', '--data-dir', directory])
  assert.equal((await key('two', '--bind', 'quickstart')).code, 0)
})

test('sluice key list shows names and scopes, never a key; rm removes one by its id or unique name', async (t) => {
  const directory = await withFlow(t)
  const key = (...argv: string[]) => sluice(['key', ...argv, '--data-dir', directory])
  const secret = (await key('new', 'one')).stdout.trim()
  await key('new', 'two')
  await key('new', 'two')
  const listed = await key('list')
  assert.match(listed.stdout, /^one +upsert, query, predict/m)
  assert.ok(!listed.stdout.includes(secret))

  const twice = await key('rm', 'two')
  assert.equal(twice.code, 2)
  assert.match(twice.stderr, /2 keys have the name two\ngive the id of one: /)
  const rows = JSON.parse((await key('list', '--json')).stdout) as { id: string; keyName: string }[]
  assert.equal((await key('rm', rows.find(({ keyName }) => keyName === 'two')!.id)).code, 0)
  assert.equal((await key('rm', 'one')).code, 0)
  assert.deepEqual(
    (await stored(directory)).map(({ name }) => name),
    ['two'],
  )
  assert.match((await key('rm', 'one')).stderr, /API key one not found/)
})

test('sluice key rotate prints a new key for the same row', async (t) => {
  const directory = await withFlow(t)
  const key = (...argv: string[]) => sluice(['key', ...argv, '--data-dir', directory])
  await key('new', 'one', '--scope', 'query')
  const { code, stdout, stderr } = await key('rotate', 'one')
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^sl_[\w-]{43}\n$/)
  const [row, ...others] = await stored(directory)
  assert.deepEqual([row!.name, row!.scopes, others.length], ['one', ['query'], 0])
  assert.deepEqual(row!.hash, secretHash(stdout.trim()))
  assert.match((await key('rotate', 'none')).stderr, /API key none not found/)
})

test('sluice key list does not create a data directory', async (t) => {
  const directory = path.join(temporaryDirectory(t), 'none')
  const { code, stderr } = await sluice(['key', 'list', '--data-dir', directory])
  assert.equal(code, 1)
  assert.match(stderr, /There is no database in .*none\n/)
  assert.equal(existsSync(directory), false)
})

test('sluice key calls the server of --url', async (t) => {
  const calls: string[] = []
  const row = { id: 'k1', keyName: 'website', scopes: ['query'], flows: ['flow-1'] }
  const url = await serve(t, async (request, response) => {
    const { method, url, headers } = request
    calls.push(`${headers.authorization} ${method} ${url} ${await bodyOf(request)}`.trim())
    response.end(JSON.stringify(method === 'POST' ? { ...row, apiKey: 'sl_x' } : [row]))
  })
  const remote = ['--url', url, '--key', 'm']
  assert.equal((await sluice(['key', 'new', 'website', '--scope', 'query', ...remote])).stdout, 'sl_x\n')
  assert.match((await sluice(['key', 'list', ...remote])).stdout, /^website +query +flow-1 +k1$/m)
  assert.equal((await sluice(['key', 'rm', 'website', ...remote])).code, 0)
  assert.deepEqual(calls, [
    'Bearer m POST /api/v1/apikey {"keyName":"website","scopes":["query"],"flows":[]}',
    'Bearer m GET /api/v1/apikey',
    'Bearer m GET /api/v1/apikey',
    'Bearer m DELETE /api/v1/apikey/k1',
  ])
})

test('sluice key new --expires takes a duration or a date, and key list shows it [key:expires]', async (t) => {
  const directory = await withFlow(t)
  const key = (...argv: string[]) => sluice(['key', ...argv, '--data-dir', directory])
  const before = Date.now()
  const made = await key('new', 'agency', '--expires', '30d')
  assert.equal(made.code, 0, made.stderr)
  assert.match(made.stderr, /It expires at \d{4}-/)
  assert.equal((await key('new', 'forever')).code, 0)
  assert.equal((await key('new', 'fixed', '--expires', '2999-01-31')).code, 0)
  const days = (await stored(directory)).map(({ name, expiresAt }) => [
    name,
    expiresAt && Math.floor((expiresAt - before) / 86_400_000),
  ])
  assert.deepEqual(
    days.filter(([name]) => name !== 'fixed'),
    [
      ['agency', 30],
      ['forever', null],
    ],
  )
  const { stdout } = await key('list')
  assert.match(stdout, /^fixed +upsert, query, predict +never +2999-01-31 00:00 UTC /m)
  assert.match(stdout, /^forever +upsert, query, predict +never +never /m)
  for (const wrong of ['soon', '30', '2020-01-31', '99999999999w'])
    assert.match((await key('new', 'x', '--expires', wrong)).stderr, /^sluice: --expires: /, wrong)
})

test('sluice key new --pin makes a key with pins, and key list shows them [keys:pins]', async (t) => {
  const directory = await withFlow(t)
  const place = ['--data-dir', directory]
  const line = ['key', 'new', 'acme', '--pin', 'tenant=acme', '--pin', 'region = eu=west ', ...place]
  assert.equal((await sluice(line)).code, 0)
  assert.deepEqual((await stored(directory))[0]!.pins, { tenant: 'acme', region: 'eu=west' })
  assert.match((await sluice(['key', 'list', ...place])).stdout, /tenant=acme, region=eu=west/)
  for (const wrong of [
    ['--pin', 'tenant'],
    ['--pin', '=acme'],
    ['--pin', 'tenant='],
    ['--pin', 'tenant=a', '--pin', 'tenant=b'],
    ['--pin', 'tenant=acme', '--scope', 'manage'],
  ]) {
    const { code, stderr } = await sluice(['key', 'new', 'wrong', ...wrong, ...place])
    assert.notEqual(code, 0)
    assert.match(stderr, /pins of the API key are not valid/)
  }
  assert.equal((await stored(directory)).length, 1)
})

test('sluice key new --quota makes a key with quotas, and key list shows what is used [keys:quotas]', async (t) => {
  const directory = await withFlow(t)
  const place = ['--data-dir', directory]
  const quotas = ['--quota', 'chunks=10000,bytes=1.5MB/day', '--quota', 'questions=200']
  assert.equal((await sluice(['key', 'new', 'acme', '--pin', 'tenant=acme', ...quotas, ...place])).code, 0)
  const [row] = await stored(directory)
  assert.deepEqual(row!.quotas, { chunks: 10_000, bytes: 1_500_000, questions: 200 })
  const { keys, close } = await offline.open({ directory })
  const day = Math.floor(Date.now() / 86_400_000)
  await keys.take({ id: row!.id, quota: 'questions', amount: 3, max: 200, day })
  await close()
  const listed = (await sluice(['key', 'list', ...place])).stdout
  assert.match(listed, /chunks \? of 10000, bytes 0 of 1500000, questions 3 of 200/)
  for (const wrong of [
    'chunks=5',
    'words=5',
    'bytes',
    'bytes=x',
    'bytes=1tb',
    'bytes=0',
    'questions=1,questions=2',
  ]) {
    const { code, stderr } = await sluice(['key', 'new', 'wrong', '--quota', wrong, ...place])
    assert.notEqual(code, 0)
    assert.match(stderr, /quotas of the API key are not valid/, wrong)
  }
})
