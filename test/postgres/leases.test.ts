import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { JobStore, NewJob } from '../../src/contract/job.ts'
import { flowStore } from '../../src/db/repositories/flows.ts'
import { postgresJobStore } from '../../src/db/postgres/jobs.ts'
import { requireLease } from '../../src/db/postgres/leases.ts'
import { postgresLedger } from '../../src/db/postgres/ledger.ts'
import { joinCluster, type ClusterMember, type MemberOptions } from '../../src/db/postgres/member.ts'
import { quietLog } from '../../src/kit/log.ts'
import { flowRow } from '../contract/repositories.ts'
import { failingProxy } from '../support/chaos/failing-proxy.ts'
import { openedPostgres, postgresServer, preparedPostgres } from '../support/postgres.ts'
import { silentProxy } from '../support/silent-proxy.ts'
import { until, untilEqual } from '../support/until.ts'
import { needs } from '../support/needs.ts'

await needs('PostgreSQL')

/** A busy machine may be silent for longer than members wait by themselves. */
const PATIENT: Partial<MemberOptions> = { deadAfterMs: 20_000 }

async function opened(
  t: TestContext,
  address: string,
  { through = address, own = address, heart = PATIENT } = {},
) {
  const database = await openedPostgres(t, own)
  const member = joinCluster({ ...{ database, address: through, log: quietLog }, ...heart })
  t.after(() => member.close())
  await member.ready()
  return { database, member, jobs: postgresJobStore(database) }
}

const newJob = (id: string, namespace: string, flowId = 'flow'): NewJob => ({
  ...{ id, flowId, kind: 'upsert', namespace, request: 'sealed', description: [], now: 1 },
})

const claimed = async ({ queue }: ClusterMember) => {
  const found = await queue.claim(5)
  return found && { id: found.job.id, lease: found.lease }
}

const endJob = (jobs: JobStore, id: string) =>
  jobs.end({ id, state: 'done', progress: null, result: {}, error: null, now: 9 })

test('claim() begins jobs of the flow that was served longest ago, in order within a namespace', async (t) => {
  const { database, member, jobs } = await opened(t, await preparedPostgres(t))
  for (const id of ['many', 'few', 'late']) await flowStore(database.sql).insert(flowRow(id))
  for (const n of [1, 2, 3, 4]) await jobs.insert(newJob(`m${n}`, `space ${n}`, 'many'), 0)
  await jobs.insert(newJob('m1 again', 'space 1', 'many'), 0)
  for (const n of [1, 2]) await jobs.insert(newJob(`f${n}`, `few ${n}`, 'few'), 0)
  const order: (string | undefined)[] = []
  const leases = new Map<string, { release(): Promise<void> }>()
  for (let n = 0; n < 8; n++) {
    const one = await claimed(member)
    order.push(one?.id)
    if (one) leases.set(one.id, one.lease)
    if (n === 3) await jobs.insert(newJob('l1', 'late', 'late'), 0)
  }
  assert.deepEqual(order, ['m1', 'f1', 'm2', 'f2', 'l1', 'm3', 'm4', undefined])
  const job = await jobs.find('m1')
  assert.deepEqual([job?.state, job?.changes, job?.startedAt], ['running', 2, 5])
  await endJob(jobs, 'm1')
  await leases.get('m1')!.release()
  assert.equal((await claimed(member))?.id, 'm1 again')
})

test('claim() begins the jobs of the owner with the fewest running, on two members, also in one namespace [upsert:job:turns]', async (t) => {
  const address = await preparedPostgres(t)
  const [one, two] = [await opened(t, address), await opened(t, address)]
  for (const id of ['flow', 'other']) await flowStore(one.database.sql).insert(flowRow(id))
  const add = (id: string, namespace: string, owner?: string, flow = 'flow') =>
    one.jobs.insert({ ...newJob(id, namespace, flow), owner }, 0)
  for (let n = 0; n < 20; n++) await add(`a${n}`, `space ${n}`, 'key:a')
  for (const n of [20, 21]) await add(`a${n}`, 'shared', 'key:a')
  for (const n of [0, 1]) await add(`b${n}`, 'shared', 'key:b')
  // As a server of the version before stores it: without an owner.
  await add('old', 'of the flow', undefined, 'other')
  const begun: { id: string; release(): Promise<void> }[] = []
  const begin = async ({ member }: typeof one, idleOnly = false) => {
    const found = await member.queue.claim(5, { idleOnly })
    if (found) begun.push({ id: found.job.id, release: () => found.lease.release() })
    return found?.job.id
  }
  assert.equal(await begin(one), 'a0')
  assert.equal(await begin(two), 'old', 'of two owners that were never served, the one whose flow was not')
  assert.equal(await begin(one, true), 'b0', 'only an owner without a running job')
  assert.equal(await begin(two, true), undefined)
  assert.equal(await begin(one), 'a1')
  const shared = begun.find(({ id }) => id === 'b0')!
  await endJob(one.jobs, 'b0')
  await shared.release()
  assert.equal(await begin(one), 'b1', 'b has none, and comes before the earlier jobs of a in its namespace')
})

test('claim() takes jobs with uploads only with the folders that it is given, and no later ones of their owner in their namespace [upsert:job:away]', async (t) => {
  const one = await opened(t, await preparedPostgres(t))
  await flowStore(one.database.sql).insert(flowRow('flow'))
  const add = (id: string, owner: string, folder?: string) =>
    one.jobs.insert(
      { ...newJob(id, 'space'), owner, ...(folder === undefined ? {} : { uploads: { folder, bytes: 1 } }) },
      0,
    )
  await add('a1', 'key:a', 'x')
  await add('a2', 'key:a')
  await add('b1', 'key:b')
  await add('c1', 'key:c', 'y')
  async function take(folders?: string[]) {
    const found = await one.member.queue.claim(5, { folders })
    if (!found) return undefined
    await endJob(one.jobs, found.job.id)
    await found.lease.release()
    return found.job.id
  }
  assert.deepEqual([await take(['y']), await take(['y']), await take([])].sort(), ['b1', 'c1', undefined])
  assert.deepEqual([await take(), await take([])], ['a1', 'a2'])
})

test('claim() gives each job to one of two members, and one job of a namespace at a time', async (t) => {
  const address = await preparedPostgres(t)
  const members = [await opened(t, address), await opened(t, address)]
  await flowStore(members[0]!.database.sql).insert(flowRow('flow'))
  for (let n = 0; n < 40; n++) await members[0]!.jobs.insert(newJob(`job ${n}`, `space ${n % 4}`), 0)
  const done: string[] = []
  const running = new Set<string>()
  async function work({ member, jobs }: (typeof members)[number]): Promise<void> {
    while (done.length < 40) {
      const found = await member.queue.claim(1)
      if (!found) {
        await pause(5)
        continue
      }
      const { id, namespace, changes } = found.job
      assert.equal(running.has(namespace), false, namespace)
      running.add(namespace)
      const end = { id, changes, state: 'done', progress: null, result: {}, error: null, now: 2 } as const
      assert.equal((await jobs.end(end))?.state, 'done')
      done.push(id)
      running.delete(namespace)
      await found.lease.release()
    }
  }
  await Promise.all([...members, ...members].map(work))
  assert.equal(new Set(done).size, 40)
  for (let space = 0; space < 4; space++)
    assert.deepEqual(
      done.filter((id) => Number(id.slice(4)) % 4 === space),
      Array.from({ length: 10 }, (_, n) => `job ${n * 4 + space}`),
    )
})

test('take() waits for the lease of a namespace, before the queued jobs of that namespace, until its signal aborts', async (t) => {
  const address = await preparedPostgres(t)
  const [one, two] = [await opened(t, address), await opened(t, address)]
  await flowStore(one.database.sql).insert(flowRow('flow'))
  await one.jobs.insert(newJob('first', 'space'), 0)
  await one.jobs.insert(newJob('second', 'space'), 0)
  const first = (await claimed(one.member))!
  assert.equal(first.id, 'first')
  const stop = new AbortController()
  const givenUp = assert.rejects(two.member.leases.take('space', stop.signal), /enough/)
  const waiting = two.member.leases.take('space')
  await untilEqual(async () => (await one.database.reader.all('SELECT lane FROM lane_waiters')).length, 1)
  stop.abort(new Error('enough'))
  await givenUp
  assert.equal(two.member.leases.held('space'), undefined)
  await untilEqual(async () => (await one.database.reader.all('SELECT lane FROM lane_waiters')).length, 1)
  await endJob(one.jobs, 'first')
  await first.lease.release()
  assert.equal(await claimed(one.member), undefined, 'who waits comes before the jobs')
  const lease = await waiting
  assert.ok(lease.epoch > first.lease.epoch)
  assert.equal(two.member.leases.held('space')?.epoch, lease.epoch)
  assert.equal(await claimed(one.member), undefined)
  await first.lease.release()
  assert.equal(await claimed(one.member), undefined, 'a lease is released once')
  await lease.release()
  assert.equal((await claimed(one.member))?.id, 'second')
})

test('A member without an answer from the server loses its leases, others take them, and it works again as another member', async (t) => {
  const address = await preparedPostgres(t)
  const proxy = await silentProxy(t, (await postgresServer()).port)
  const [cut, other] = [
    await opened(t, address, { through: proxy.address(address), heart: {} }),
    await opened(t, address, { heart: {} }),
  ]
  const lease = await cut.member.leases.take('space')
  assert.equal(lease.lost.aborted, false)
  proxy.cut()
  const taken = await other.member.leases.take('space')
  assert.equal(lease.lost.aborted, true, 'the first knows before the second has the lease')
  assert.ok(taken.epoch > lease.epoch)
  await lease.release()
  assert.equal(taken.lost.aborted, false)
  proxy.mend()
  await cut.member.ready()
  await taken.release()
  const again = await cut.member.leases.take('space')
  assert.ok(again.epoch > taken.epoch)
})

test('A lease is lost when the server ends the connection of its member, and free when the member is closed', async (t) => {
  const address = await preparedPostgres(t)
  const [one, other] = [await opened(t, address), await opened(t, address)]
  const lease = await one.member.leases.take('space')
  await other.database.writer.run(
    `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid IN
       (SELECT node FROM lanes WHERE lane = 'space')`,
  )
  await until(() => lease.lost.aborted)
  const taken = await other.member.leases.take('space')
  const waiting = one.member.leases.take('space')
  await lease.release()
  const waiters = () => other.database.reader.all('SELECT 1 FROM lane_waiters')
  await until(async () => (await waiters()).length > 0)
  assert.equal(taken.lost.aborted, false)
  await other.member.close()
  assert.ok((await waiting).epoch > taken.epoch)
  await assert.rejects(other.member.leases.take('any'), { code: 'stopping' })
  await assert.rejects(other.member.queue.claim(1), { code: 'stopping' })
})

test('ring() reaches the listeners of all members with its topic, and a listener is called without a ring, too', async (t) => {
  const address = await preparedPostgres(t)
  const [one, two] = [await opened(t, address), await opened(t, address)]
  const heard: string[] = []
  for (const [name, { member }] of Object.entries({ one, two }))
    for (const topic of ['a', 'b']) {
      const end = member.doorbell.listen(topic, () => heard.push(`${name} ${topic}`))
      t.after(end)
    }
  one.member.doorbell.ring('a')
  await until(() => heard.includes('one a') && heard.includes('two a'))
  const proxy = await silentProxy(t, (await postgresServer()).port)
  const deaf = await opened(t, address, { through: proxy.address(address), heart: {} })
  let calls = 0
  t.after(deaf.member.doorbell.listen('c', () => calls++))
  proxy.cut()
  one.member.doorbell.ring('c')
  await until(() => calls > 0)
})

test('A job whose lease was given back before its end is queued again', async (t) => {
  const { database, member, jobs } = await opened(t, await preparedPostgres(t))
  await flowStore(database.sql).insert(flowRow('flow'))
  await jobs.insert(newJob('job', 'space'), 0)
  const first = (await claimed(member))!
  await first.lease.release()
  await untilEqual(async () => (await claimed(member))?.id, 'job')
  assert.equal((await jobs.find('job'))?.changes, 4)
})

test('A job whose lease was given back before its end is begun before the later jobs of its namespace', async (t) => {
  const { database, member, jobs } = await opened(t, await preparedPostgres(t))
  await flowStore(database.sql).insert(flowRow('flow'))
  for (const id of ['first', 'second']) await jobs.insert(newJob(id, 'space'), 0)
  const began = (await claimed(member))!
  await began.lease.release()
  let next: string | undefined
  // Nothing is begun while the look for dead members, several times a second, just queues the first again.
  await until(async () => {
    next = await claimedId(member)
    return next !== undefined
  })
  assert.equal(next, 'first')
})

/** Two members; all connections of the first one can be cut, as when its process is killed. */
async function killable(t: TestContext) {
  const address = await preparedPostgres(t)
  const proxy = await failingProxy((await postgresServer()).port)
  t.after(() => proxy.close())
  const through = new URL(address)
  through.port = String(proxy.port)
  const killed = await opened(t, address, { through: through.href, own: through.href })
  const other = await opened(t, address)
  await flowStore(other.database.sql).insert(flowRow('flow'))
  /** Locks rows, by `lock`, until it is called. */
  async function holdLock(lock: string): Promise<() => Promise<void>> {
    const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    t.after(() => released.resolve())
    const holder = await openedPostgres(t, address, { limits: { idleInTransactionMs: 0 } })
    const holding = holder.transaction(async (sql) => {
      assert.ok(await sql.get(lock))
      locked.resolve()
      await released.promise
    })
    await Promise.race([locked.promise, holding])
    return async () => {
      released.resolve()
      await holding
    }
  }
  return { killed, other, holdLock, kill: proxy.cut }
}

const claimedId = async (member: ClusterMember) => (await claimed(member))?.id

test('A job of a killed member is begun again while the server would still run a statement of the killed one', async (t) => {
  const { killed, other, kill } = await killable(t)
  await killed.jobs.insert(newJob('job', 'space'), 0)
  const { lease } = (await claimed(killed.member))!
  const sleeping = () =>
    other.database.reader.all("SELECT 1 FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep(%'")
  let attempts = 0
  const work = killed.database.transaction(
    async (sql) => {
      if (++attempts > 1) throw new Error('not again')
      await requireLease(sql, 'space', lease.epoch)
      await sql.get('SELECT pg_sleep(3000)')
    },
    { limitMs: 4_000_000 },
  )
  const ended = assert.rejects(work, /not again/)
  await untilEqual(async () => (await sleeping()).length, 1)
  kill()
  await ended
  await untilEqual(() => claimedId(other.member), 'job')
  // Its locks are free a moment before the server has forgotten its connection.
  await untilEqual(sleeping, [])
})

test('A locked lease of a killed member does not keep its other leases from being taken', async (t) => {
  const { killed, other, holdLock, kill } = await killable(t)
  for (const id of ['a', 'b']) await killed.jobs.insert(newJob(id, `space ${id}`), 0)
  assert.deepEqual([await claimedId(killed.member), await claimedId(killed.member)], ['a', 'b'])
  const release = await holdLock("SELECT 1 FROM lanes WHERE lane = 'space a' FOR SHARE")
  kill()
  await untilEqual(() => claimedId(other.member), 'b')
  assert.equal(await claimedId(other.member), undefined)
  await release()
  await untilEqual(() => claimedId(other.member), 'a')
})

test('claim() begins the jobs of other namespaces while the open run of one is locked, and abandons that run later', async (t) => {
  const { killed, other, holdLock, kill } = await killable(t)
  for (const id of ['a', 'b']) await killed.jobs.insert(newJob(id, `space ${id}`), 0)
  assert.equal(await claimedId(killed.member), 'a')
  const ledger = postgresLedger(killed.database, Date.now, killed.member.leases)
  const run = await ledger.open({ namespace: 'space a', embedder: 'e', engine: 'built-in' })
  const release = await holdLock("SELECT 1 FROM runs WHERE state = 'open' FOR SHARE")
  kill()
  const queued = () => other.jobs.find('a').then((job) => job?.state)
  await untilEqual(queued, 'queued')
  assert.equal(await claimedId(other.member), 'b')
  assert.equal(await claimedId(other.member), undefined)
  await release()
  await untilEqual(() => claimedId(other.member), 'a')
  await assert.rejects(run.stage([], 2), { code: 'run_not_open' })
})

test('claim() does not begin a later job of a namespace while the row of an earlier one is locked, and begins those of others', async (t) => {
  const { killed, other, holdLock } = await killable(t)
  for (const id of ['a', 'later']) await killed.jobs.insert(newJob(id, 'space a'), 0)
  await killed.jobs.insert(newJob('b', 'space b'), 0)
  const { lease } = (await claimed(killed.member))!
  const release = await holdLock("SELECT 1 FROM jobs WHERE id = 'a' FOR SHARE")
  await lease.release()
  assert.deepEqual([await claimedId(other.member), await claimedId(other.member)], ['b', undefined])
  await release()
  await untilEqual(() => claimedId(other.member), 'a')
})
