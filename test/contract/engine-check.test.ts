import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { CheckedStep, EngineCheck } from '../../src/contract/engine-check.ts'
import { newAuthority } from '../support/certificates.ts'
import { Signals, sluice } from '../support/command-line.ts'
import { replies, startFront } from '../support/engines/front.ts'
import { realEngineAddress } from '../support/engines/real/real-engine.ts'
import { chromaProtocol } from '../support/engines/scripted-chroma.ts'
import { type EngineProtocol, startScriptedEngine } from '../support/engines/scripted-engine.ts'
import { pineconeProtocol } from '../support/engines/scripted-pinecone.ts'
import { qdrantProtocol } from '../support/engines/scripted-qdrant.ts'
import { searchProtocol } from '../support/engines/scripted-search.ts'
import { lacking } from '../support/needs.ts'
import { pgVectorDatabase } from '../support/pgvector.ts'
import { freePort } from '../support/free-port.ts'
import { administer, pgVectorServer } from '../support/postgres.ts'
import type { World } from '../../src/cli/world.ts'

type Given = { credential?: string | Record<string, string>; world?: Partial<World> }

const runCheck = (args: readonly string[], { credential, world }: Given = {}) =>
  sluice(['engine', 'check', ...args], {
    environment: {
      ...(credential === undefined
        ? {}
        : {
            SLUICE_ENGINE_CREDENTIAL:
              typeof credential === 'string' ? credential : JSON.stringify(credential),
          }),
    },
    ...world,
  })

async function checked(args: readonly string[], given?: Given): Promise<EngineCheck & { code: number }> {
  const { code, stdout, stderr } = await runCheck([...args, '--json'], given)
  assert.notEqual(stdout, '', stderr)
  return { ...(JSON.parse(stdout) as EngineCheck), code }
}

const outcomes = ({ steps }: { steps: CheckedStep[] }) =>
  steps.map(({ step, outcome }) => `${step} ${outcome}`).join(', ')
const foundBy = ({ steps }: { steps: CheckedStep[] }, name: string) =>
  steps.find(({ step }) => step === name)!.found

const OF_SEARCH =
  'addresses ok, version ok, clock CLOCK, create ok, write ok, read ok, search ok, words ok, filter ok, compare ok, delete ok, alias ok, remove ok'
const real = await realEngineAddress('opensearch', process.env.OPENSEARCH_URL)

async function scriptedEngine(protocol: EngineProtocol) {
  const engine = await startScriptedEngine(protocol)
  after(() => engine.close())
  return engine
}

test('sluice engine check finds all that a flow asks of each engine, and leaves nothing behind [engines:check]', async () => {
  for (const [kind, protocol, expected, credential] of [
    ['opensearch', searchProtocol('opensearch'), OF_SEARCH.replace('CLOCK', 'left out'), {}],
    [
      'elasticsearch',
      searchProtocol('elasticsearch'),
      OF_SEARCH.replace('CLOCK', 'left out'),
      { apiKey: 'key' },
    ],
    [
      'qdrant',
      qdrantProtocol(),
      'version left out, create ok, write ok, read ok, search ok, words left out, filter ok, compare ok, delete ok, remove ok',
      { qdrantApiKey: 'key' },
    ],
    [
      'chroma',
      chromaProtocol(),
      'version left out, create ok, write ok, read ok, search ok, words left out, filter left out, compare ok, delete ok, remove ok',
      {},
    ],
    [
      'pinecone',
      pineconeProtocol(),
      'create ok, write ok, read ok, search ok, words left out, filter ok, compare ok, delete ok, remove ok',
      { pineconeApiKey: 'key' },
    ],
  ] as const) {
    const engine = await scriptedEngine(protocol)
    const args = [engine.url, '--kind', kind, '--prefix', 'team', '--dimensions', '32']
    const check = await checked(args, { credential })
    assert.equal(outcomes(check), expected, JSON.stringify(check.steps, null, 1))
    assert.deepEqual([check.code, check.ok], [0, true])
    assert.equal(check.experimental, ['qdrant', 'pinecone'].includes(kind))
    assert.match(check.collection, /^team-sluice-check-[\da-f]{8}-a$/)
  }
})

test('sluice engine check finds pgvector ready, and installs it where the user may [engines:check]', {
  skip: lacking('PostgreSQL with pgvector'),
}, async () => {
  const [{ port }, database] = [await pgVectorServer(), await pgVectorDatabase()]
  const address = `postgres://127.0.0.1:${port}/${database}`
  const credential = { user: 'sluice', password: 'any' }
  const check = await checked([address, '--kind', 'pgvector'], { credential })
  assert.equal(
    outcomes(check),
    'version ok, create ok, write ok, read ok, search ok, words left out, filter ok, compare ok, delete ok, remove ok',
    JSON.stringify(check.steps, null, 1),
  )
  assert.match(foundBy(check, 'version'), /^PostgreSQL \d+.*, pgvector 0\.\d+/)
  const absent = await checked([`${address}_absent`, '--kind', 'pgvector'], { credential })
  assert.equal(absent.code, 1)
  assert.match(foundBy(absent, 'version'), /does not exist/)
  await administer(await pgVectorServer(), `DROP DATABASE ${database}`)
})

test('sluice engine check finds OpenSearch ready, by several addresses, and prints a table [engines:check]', {
  skip: typeof real === 'string' && real,
}, async () => {
  const { url } = real as { url: string }
  const front = await startFront(url)
  const { code, stdout } = await runCheck([`${url},${front.url}`, '--kind', 'opensearch'])
  assert.equal(code, 0, stdout)
  assert.match(
    stdout,
    /^step +outcome +ms +found\naddresses +ok +\d+ +2 of one cluster\nversion +ok +\d+ +OpenSearch 2\./,
  )
  assert.match(stdout, /clock +ok/)
  assert.match(stdout, /alias +ok/)
  assert.match(stdout, /Flows can use this opensearch\.\n$/)
  const dead = `http://127.0.0.1:${await freePort()}`
  const half = await checked([`${url},${dead}`, '--kind', 'opensearch'])
  assert.equal(outcomes(half), OF_SEARCH.replace('CLOCK', 'ok').replace('addresses ok', 'addresses no'))
  assert.match(foundBy(half, 'addresses'), /the connection was refused/)
  const other = await scriptedEngine(searchProtocol('opensearch'))
  const mixed = await checked([`${url},${other.url}`, '--kind', 'opensearch'])
  assert.match(foundBy(mixed, 'addresses'), /they are of 2 clusters/)
  assert.equal(mixed.code, 1)
  assert.match(outcomes(mixed), /create left out.*remove left out/)
  const indexes = await (await fetch(`${url}/_cat/indices?format=json`)).text()
  assert.ok(!indexes.includes('sluice-check'), indexes)
  front.close()
})

test('sluice engine check removes its collection when a step fails, and says what fails [engines:check]', async () => {
  const { url } = await scriptedEngine(searchProtocol('opensearch'))
  const front = await startFront(url, {
    answer: ({ url: path = '' }, to) =>
      path.includes('_mget') &&
      replies(to, 403, { error: { reason: 'no permissions for [indices:data/read/mget]' } }),
  })
  const check = await checked([front.url, '--kind', 'opensearch'])
  assert.deepEqual([check.code, check.ok], [1, false])
  assert.match(outcomes(check), /write ok, read failed, search ok.*delete failed, alias ok, remove ok$/)
  assert.match(
    foundBy(check, 'read'),
    /answered 403: no permissions for \[indices:data\/read\/mget\]\. Check the credential/,
  )
  front.close()
})

test('sluice engine check names a collection that it cannot remove [engines:check]', async () => {
  const { url } = await scriptedEngine(searchProtocol('opensearch'))
  const front = await startFront(url, {
    answer: ({ method }, to) =>
      method === 'DELETE' &&
      replies(to, 403, { error: { reason: 'no permissions for [indices:admin/delete]' } }),
  })
  const check = await checked([front.url, '--kind', 'opensearch'])
  assert.equal(check.code, 1)
  assert.match(
    foundBy(check, 'remove'),
    /^sluice-check-[\da-f]{8}-a may still be there, remove it by hand: .*403/,
  )
  front.close()
})

test('sluice engine check removes its collection when it is interrupted, and ends with 130 [engines:check]', async () => {
  const engine = await scriptedEngine(searchProtocol('opensearch'))
  const signals = new Signals()
  let made = ''
  engine.observe = ({ method, path }) => {
    if (path === '/_bulk' && made === '') {
      made = engine.calls.find((call) => call.method === 'PUT')!.path
      signals.emit('SIGINT')
    }
    if (method === 'DELETE') assert.equal(path, made)
  }
  const check = await checked([engine.url, '--kind', 'opensearch'], {
    world: { process: signals as unknown as World['process'] },
  })
  assert.equal(check.code, 130)
  assert.match(outcomes(check), /version ok.*words left out.*remove ok$/)
  assert.deepEqual(engine.calls.filter(({ method }) => method === 'DELETE').length, 1)
})

test('sluice engine check sends the credential of the environment, by TLS with its authority, and repeats no secret [engines:check]', async () => {
  const { url } = await scriptedEngine(searchProtocol('opensearch'))
  const authority = newAuthority()
  const asked = new Set<string | undefined>()
  const front = await startFront(url, {
    certified: authority.forLoopback(),
    answer({ headers }) {
      asked.add(headers.authorization)
      return false
    },
  })
  const [user, password] = ['admin', 'the-password-of-the-cluster']
  const credential = { user, password, ca: authority.certificate }
  const { code, stdout, stderr } = await runCheck([front.url, '--kind', 'opensearch'], { credential })
  assert.equal(code, 0, stdout)
  assert.ok(!`${stdout}${stderr}`.includes(password))
  assert.deepEqual([...asked], [`Basic ${btoa(`${user}:${password}`)}`])
  const lines = `user=${user}\npassword=${password}\nca=${authority.certificate.replaceAll('\n', ' ')}`
  assert.equal((await checked([front.url, '--kind', 'opensearch'], { credential: lines })).code, 0)
  const without = await checked([front.url, '--kind', 'opensearch'], { credential: { user, password } })
  assert.equal(without.code, 1)
  assert.match(foundBy(without, 'addresses'), /authority that is not trusted.*Give the certificate/)
  front.close()
})

test('sluice engine check refuses what it cannot do, and repeats no password [engines:check]', async () => {
  for (const [args, message, given] of [
    [['http://a.example'], /--kind is missing: opensearch, /],
    [['http://a.example', '--kind', 'opensaerch'], /no engine "opensaerch".*opensearch/s],
    [['http://me:the-password@a.example', '--kind', 'opensearch'], /is not taken from arguments/],
    [['http://a.example', '--kind', 'qdrant', '--dimensions', '1'], /--dimensions: 2 to 16000/],
    [
      ['http://a.example', '--kind', 'opensearch', '--credential', 'qdrantApi'],
      /opensearch takes openSearchUrl or openSearchAws/,
    ],
    [
      ['http://a.example', '--kind', 'opensearch'],
      /no field passwort.*password/s,
      { credential: { passwort: 'the-password' } },
    ],
    [
      ['http://a.example', '--kind', 'opensearch'],
      /SLUICE_ENGINE_CREDENTIAL: line 1 is not FIELD=value/,
      { credential: 'the-password' },
    ],
    [['a.example', '--kind', 'qdrant'], /must begin with http/],
    [['http://a.example/b', '--kind', 'pgvector'], /postgres:\/\/HOST:PORT\/DATABASE/],
    [['http://a.example', '--kind', 'qdrant', '--prefix', 'a/b'], /letters, digits/],
  ] as [string[], RegExp, Given?][]) {
    const { code, stdout, stderr } = await runCheck(args, given)
    assert.ok(code === 1 || code === 2, `${args.join(' ')}: ${code} ${stdout}`)
    assert.match(stderr, message)
    assert.ok(!`${stdout}${stderr}`.includes('the-password'), stderr)
  }
  const closed = await checked(['http://10.1.2.3:9200', '--kind', 'opensearch'])
  assert.match(foundBy(closed, 'addresses'), /EGRESS_ALLOW/)
})
