import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { Socket } from 'node:net'
import { patienceOfJob, type ServerWait, withinTime, withPatience } from '../../src/kit/patience.ts'
import type { PgVectorEngine } from '../../src/stores/pgvector/engine.ts'
import { collect } from '../support/collect.ts'
import { hashVector } from '../support/hash-embedder.ts'
import { needs } from '../support/needs.ts'
import { pgVectorDatabase, temporaryPgVector } from '../support/pgvector.ts'
import { administer, pgVectorServer } from '../support/postgres.ts'
import { silentProxy } from '../support/silent-proxy.ts'
import { until } from '../support/until.ts'

await needs('PostgreSQL with pgvector')

const NAME = 'the engine over PostgreSQL with pgvector'
const point = (id: string) => ({ id, text: `text ${id}`, vector: hashVector(id), metadata: { id } })
const NEAREST = { vector: hashVector('q'), metric: 'cosine', limit: 10 } as const
const LATE = {
  code: 'provider_timeout',
  status: 504,
  message: 'PostgreSQL with pgvector did not answer in 1 seconds',
}

const found = async (engine: PgVectorEngine) => (await engine.search('c', NEAREST)).map(({ id }) => id).sort()

/**
 * An engine of a database whose connections can be made silent, with so many milliseconds for a request, and a calm one with more time and
 * connections of its own.
 */
async function behindProxy(t: TestContext, { user = 'sluice', timeoutMs = 1000 } = {}) {
  const database = await pgVectorDatabase()
  const proxy = await silentProxy(t, (await pgVectorServer()).port)
  const login = async () => ({ user, password: '' })
  const place = { host: '127.0.0.1', port: proxy.port, database, ssl: false, login, timeoutMs }
  const engine = await temporaryPgVector(t, {
    database,
    server: { ...place, socket: () => new Socket() },
  })
  const calm = await temporaryPgVector(t, { database })
  return {
    ...{ proxy, engine, calm, database },
    /** Writes points, and lets the engine have a connection. */
    async load(ids: readonly string[]) {
      await calm.upsert('c', ids.map(point))
      await until(async () => (await found(engine).catch(() => [])).length === ids.length, 'a connection')
    },
  }
}

/** Work as a job does it, with the waits that it has told. */
function asJob(work: () => Promise<unknown>) {
  const waits: (ServerWait | undefined)[] = []
  const stop = new AbortController()
  const done = withPatience(
    patienceOfJob(stop.signal, (wait) => waits.push(wait)),
    work,
  )
  done.catch(() => {})
  return { done, stop, waits, reason: () => waits.at(-1)?.reason }
}

test(`${NAME} ends each call of a request in time while the server is frozen, and each is answered after that [engines:waits]`, async (t) => {
  const { proxy, engine, calm, load } = await behindProxy(t)
  await load(['a', 'b'])
  proxy.freeze()
  const calls: (() => Promise<unknown>)[] = [
    () => engine.search('c', NEAREST),
    () => engine.upsert('c', [point('c')]),
    () => engine.delete('c', ['a']),
    () => engine.vectors('c', ['a']),
    () => engine.checks('c', ['a']),
    () => engine.fault('c', { dimensions: 4, writes: true }),
    () => collect(engine.ids('c')),
    () => collect(engine.compare('c', async () => new Map())),
    () => engine.drop('c'),
  ]
  await Promise.all(calls.map((call) => assert.rejects(call(), LATE)))
  // One time for all calls of a request: a call that begins after its end has none.
  await withinTime({ ms: 300 }, async () => {
    await assert.rejects(engine.search('c', NEAREST), { code: 'provider_timeout' })
    await assert.rejects(engine.vectors('c', ['a']), { code: 'provider_timeout' })
  })
  proxy.thaw()
  await until(async () => (await found(engine).catch(() => [])).length === 2, 'it is answered again')
  assert.deepEqual(await found(calm), ['a', 'b'])
})

test(`${NAME} ends a call in time where no connection was made before, and opens one once the line is back [engines:waits]`, async (t) => {
  const { proxy, engine, calm } = await behindProxy(t)
  proxy.cut()
  await assert.rejects(engine.search('c', NEAREST), LATE)
  await assert.rejects(engine.upsert('c', [point('a')]), LATE)
  proxy.mend()
  await until(
    () =>
      engine.upsert('c', [point('a')]).then(
        () => true,
        () => false,
      ),
    'the line is back',
  )
  assert.deepEqual(await found(calm), ['a'])
})

test(`${NAME} lets a job wait while the server is frozen, and says so [engines:waits]`, async (t) => {
  const { proxy, engine, calm, load } = await behindProxy(t)
  await load(['a'])
  proxy.freeze()
  const { done, reason, waits } = asJob(() => engine.upsert('c', [point('a'), point('b')]))
  await until(async () => reason() === 'no answer', 'the job says that it waits')
  assert.equal(waits[0]?.server, 'PostgreSQL with pgvector')
  proxy.thaw()
  await done
  assert.equal(waits.at(-1), undefined)
  assert.deepEqual(await found(calm), ['a', 'b'])

  proxy.freeze()
  const cancelled = asJob(() => engine.upsert('c', [point('c')]))
  await until(async () => cancelled.reason() === 'no answer', 'the job says that it waits')
  cancelled.stop.abort(new Error('cancelled by its client'))
  await assert.rejects(cancelled.done, { message: 'cancelled by its client' })
  assert.equal(cancelled.reason(), undefined)
})

test(`${NAME} tells of a server that has no connection left, and a job waits for one [engines:waits]`, async (t) => {
  const server = await pgVectorServer()
  const { engine, database } = await behindProxy(t, { user: 'limited', timeoutMs: 20_000 })
  await administer(server, 'CREATE ROLE limited LOGIN CONNECTION LIMIT 0')
  t.after(() => administer(server, `DROP DATABASE ${database} WITH (FORCE)`))
  await administer(server, `ALTER DATABASE ${database} OWNER TO limited`)
  await assert.rejects(engine.search('c', NEAREST), {
    code: 'provider_failed',
    message: 'PostgreSQL with pgvector failed: too many connections for role "limited"',
  })
  await administer(server, 'ALTER ROLE limited CONNECTION LIMIT 5')
  const client = new (await import('pg')).default.Client(server.address(database))
  await client.connect()
  await client.query('CREATE EXTENSION vector')
  await client.end()
  await engine.upsert('c', [point('a')])

  await administer(server, 'ALTER ROLE limited CONNECTION LIMIT 0')
  await administer(server, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'limited'`)
  const { done, reason } = asJob(() => engine.upsert('c', [point('b')]))
  await until(
    async () => reason() === 'too many connections for role "limited"',
    'the job says that it waits',
  )
  await administer(server, 'ALTER ROLE limited CONNECTION LIMIT 5')
  await done
  assert.deepEqual(await found(engine), ['a', 'b'])
})
