import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { apiKeyStore } from '../../src/db/repositories/api-keys.ts'
import { chatMessageStore } from '../../src/db/repositories/chat-messages.ts'
import type { PostgresDatabase } from '../../src/db/postgres/database.ts'
import { flowStore } from '../../src/db/repositories/flows.ts'
import { postgresJobStore } from '../../src/db/postgres/jobs.ts'
import { pausedRunStore } from '../../src/db/repositories/paused-runs.ts'
import { settingStore } from '../../src/db/repositories/settings.ts'
import { variableStore } from '../../src/db/repositories/variables.ts'
import { SluiceError } from '../../src/kit/errors.ts'
import { randomId } from '../../src/kit/hash.ts'
import { catalog } from '../../src/nodes/catalog.ts'
import { makeQuickstart } from '../../src/server/make-quickstart.ts'
import { flowRow } from '../contract/repositories.ts'
import { openedPostgres, preparedPostgres } from '../support/postgres.ts'
import { needs } from '../support/needs.ts'

await needs('PostgreSQL')

/** How often each race is run: what goes wrong in a race goes wrong in some of them. */
const ROUNDS = 10

/** Two members over one database. */
async function twoMembers(t: TestContext): Promise<[PostgresDatabase, PostgresDatabase]> {
  const address = await preparedPostgres(t)
  return [await openedPostgres(t, address), await openedPostgres(t, address)]
}

/** What became of calls that were made at the same moment: `ok`, or the code of the error. */
async function outcomes(calls: readonly Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(calls)
  return settled.map((one) => (one.status === 'fulfilled' ? 'ok' : codeOf(one.reason))).sort()
}

const codeOf = (error: unknown): string => (error instanceof SluiceError ? error.code : String(error))

const message = (id: string, sessionId: string) => ({
  id,
  flowId: 'flow',
  chatId: sessionId,
  sessionId,
  role: 'userMessage' as const,
  content: 'text',
  chatType: 'EXTERNAL' as const,
  memoryType: null,
  details: {},
  createdAt: 1,
})

test('Of flows that two members insert with one slug, one has it and the others are numbered or refused', async (t) => {
  const members = (await twoMembers(t)).map(({ sql }) => flowStore(sql))
  for (let round = 0; round < ROUNDS; round++) {
    const slug = `slug-${round}`
    const insert = (makeUnique: boolean) =>
      members.flatMap((flows) =>
        [1, 2, 3].map(() => flows.insert(flowRow(randomId(), { slug }), { makeUnique })),
      )
    const made = await Promise.all(insert(true))
    assert.deepEqual(made.map((flow) => flow.slug).sort(), [
      slug,
      ...[2, 3, 4, 5, 6].map((n) => `${slug}-${n}`),
    ])
    assert.deepEqual(await outcomes(insert(false)), Array(6).fill('slug_taken'))
  }
})

test('Of saves that two members base on one revision, one is stored; those without a base get revisions of their own', async (t) => {
  const [one, two] = (await twoMembers(t)).map(({ sql }) => flowStore(sql))
  const row = await one!.insert(flowRow('flow'))
  for (let round = 0, revision = 1; round < ROUNDS; round++, revision++) {
    const save = (name: string) => ({ by: name, ifRevision: revision })
    const names = [`a${round}`, `b${round}`]
    assert.deepEqual(
      await outcomes([
        one!.update({ ...row, name: names[0]! }, save('one')),
        two!.update({ ...row, name: names[1]! }, save('two')),
      ]),
      ['flow_changed', 'ok'],
    )
  }
  const saved = await Promise.all(
    [one, two].flatMap((flows, member) =>
      [1, 2, 3].map((n) => flows!.update({ ...row, name: `node ${member} save ${n}` }, { by: 'me' })),
    ),
  )
  const numbers = saved.map(({ revision }) => revision)
  assert.equal(new Set(numbers).size, numbers.length)
  assert.equal((await two!.revisions('flow', { offset: 0, limit: 1 })).total, 1 + ROUNDS + 6)
})

test('A flow is deleted by one of two members, and gets no job from the other afterwards', async (t) => {
  const databases = await twoMembers(t)
  const flows = flowStore(databases[0].sql)
  const jobs = databases.map(postgresJobStore)
  for (let round = 0; round < ROUNDS; round++) {
    const id = `flow-${round}`
    await flows.insert(flowRow(id))
    const job = (jobId: string) => ({
      ...{
        id: jobId,
        flowId: id,
        kind: 'upsert' as const,
        namespace: id,
        request: 'sealed',
        description: [],
      },
      now: 1,
    })
    const [deleted, ...inserted] = await Promise.allSettled([
      flows.delete({ id, namespaces: [], own: [], now: 9 }),
      ...jobs.flatMap((store, member) => [1, 2].map((n) => store.insert(job(`${round} ${member} ${n}`), 0))),
    ])
    assert.equal(deleted!.status, 'fulfilled')
    for (const one of inserted)
      if (one.status === 'rejected') assert.equal(codeOf(one.reason), 'flow_not_found')
    await assert.rejects(jobs[1]!.insert(job(`${round} late`), 0), { code: 'flow_not_found' })
  }
})

test('Of equal requests that reach two members, one makes a job, and all get it', async (t) => {
  const databases = await twoMembers(t)
  await flowStore(databases[0].sql).insert(flowRow('flow'))
  const stores = databases.map(postgresJobStore)
  for (let round = 0; round < ROUNDS; round++) {
    const idempotency = { scope: `scope ${round}`, fingerprint: 'same' }
    const job = (id: string) => ({
      ...{
        id,
        flowId: 'flow',
        kind: 'upsert' as const,
        namespace: 'n',
        request: 'r',
        description: [],
        now: 5,
      },
      idempotency,
    })
    const made = await Promise.all(
      stores.flatMap((store) => [1, 2].map(() => store.insert(job(randomId()), 0))),
    )
    assert.equal(new Set(made.map(({ job: { id } }) => id)).size, 1)
    assert.equal(made.filter(({ repeated }) => !repeated).length, 1)
    const late = await stores[1]!.insert({ ...job(randomId()), now: 9 }, 6)
    assert.equal(late.repeated, false, 'a request that is too old is no longer repeated')
  }
})

test('Of two callers who begin a session on two members at the same moment, one owns it', async (t) => {
  const databases = await twoMembers(t)
  await flowStore(databases[0].sql).insert(flowRow('flow'))
  const [one, two] = databases.map(({ sql }) => chatMessageStore(sql))
  for (let round = 0; round < ROUNDS; round++) {
    const ask = (owner: string) => ({
      ...{ message: message(`${owner} ${round}`, `session ${round}`), owner, anyOwner: false, files: [] },
    })
    assert.deepEqual(await outcomes([one!.addQuestion(ask('key one')), two!.addQuestion(ask('key two'))]), [
      'ok',
      'session_taken',
    ])
  }
})

test('A paused run is given to one of several takers on two members', async (t) => {
  const databases = await twoMembers(t)
  await flowStore(databases[0].sql).insert(flowRow('flow'))
  const stores = databases.map(({ sql }) => pausedRunStore(sql))
  for (let round = 0; round < ROUNDS; round++) {
    const id = `run ${round}`
    await Promise.all(
      stores.map((store, member) =>
        store.save({
          id: `${id}.${member}`,
          flowId: 'flow',
          sessionId: 's',
          nodeId: 'n',
          createdAt: 1,
          state: {},
        }),
      ),
    )
    const kept = (await stores[0]!.find('flow', 's'))!
    const taken = await Promise.all([0, 1, 0, 1].map((member) => stores[member]!.take(kept.id)))
    assert.deepEqual(taken.filter(Boolean), [true])
    assert.equal(await stores[1]!.find('flow', 's'), undefined)
  }
})

test('makeQuickstart() makes one flow where several members start at the same moment', async (t) => {
  const databases = await twoMembers(t)
  const start = (database: PostgresDatabase) =>
    makeQuickstart(flowStore(database.sql), settingStore(database.sql), catalog)
  await Promise.all([...databases, ...databases].map(start))
  const { rows } = await flowStore(databases[1].sql).list()
  assert.deepEqual(
    rows.map(({ slug }) => slug),
    ['quickstart'],
  )
})

test('A name of a variable, and a flow that is bound to a key, go to one of two members', async (t) => {
  const databases = await twoMembers(t)
  const [one, two] = databases.map(({ sql }) => variableStore(sql))
  const keys = databases.map(({ sql }) => apiKeyStore(sql))
  for (let round = 0; round < ROUNDS; round++) {
    const variable = (id: string) => ({
      ...{ id, name: `name ${round}`, type: 'static' as const, value: id, createdAt: 1, updatedAt: 1 },
    })
    assert.deepEqual(
      await outcomes([one!.insert(variable(`a${round}`)), two!.insert(variable(`b${round}`))]),
      ['ok', 'variable_taken'],
    )
    const flows = [`x${round}`, `y${round}`]
    for (const id of flows) await flowStore(databases[0].sql).insert(flowRow(id))
    const key = (id: string) => ({
      ...{ id, name: id, hash: Buffer.from(id), scopes: ['query' as const], flows: [], createdAt: 1 },
      ...{ pins: {}, quotas: {}, expiresAt: null, lastUsedAt: null },
    })
    const bind = (member: number, bound: string[]) =>
      keys[member]!.insert(key(`key ${round} ${member}`), bound)
    assert.deepEqual(await outcomes([bind(0, flows), bind(1, flows.toReversed())]), ['flow_bound', 'ok'])
  }
})
