import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { test, type TestContext } from 'node:test'
import type { NewJob } from '../../src/contract/job.ts'
import type { PostgresDatabase } from '../../src/db/postgres/database.ts'
import { flowStore } from '../../src/db/repositories/flows.ts'
import { historyStore } from '../../src/db/repositories/history.ts'
import { postgresJobStore } from '../../src/db/postgres/jobs.ts'
import { postgresLedger } from '../../src/db/postgres/ledger.ts'
import { flowRow } from '../contract/repositories.ts'
import { collect } from '../support/collect.ts'
import { openedPostgres, postgresServer, preparedPostgres } from '../support/postgres.ts'
import { until, untilEqual } from '../support/until.ts'
import { needs } from '../support/needs.ts'

await needs('PostgreSQL')

type Word = { stage: string; job: string }

/** A member in a process of its own, and what it says. */
type Child = { process: ChildProcess; words: Word[]; said(stage: string, job?: string): Promise<void> }

type ChildOptions = {
  /** The stage of a job at which it waits for a message. */
  hold?: string
  fence?: 'unfenced'
  /** After how long without a word members are dead, in milliseconds: on a busy machine they are silent for some seconds. */
  deadAfterMs?: number
}

/** As of servers: one that is frozen is given up soon. */
const SOON = { deadAfterMs: 3000 }

function startChild(
  t: TestContext,
  address: string,
  { hold = '', fence, deadAfterMs = 20_000 }: ChildOptions = {},
): Child {
  const program = new URL('../support/member-child.ts', import.meta.url)
  const child = fork(program, [address, hold, fence ?? '', `${deadAfterMs}`])
  const words: Word[] = []
  child.on('message', (word) => void words.push(word as Word))
  t.after(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  const has = (stage: string, job?: string) =>
    words.some((word) => word.stage === stage && (job === undefined || word.job === job))
  return {
    process: child,
    words,
    said: (stage, job) =>
      until(() => has(stage, job), `${stage} of ${job ?? 'a child'}; it said ${JSON.stringify(words)}`),
  }
}

const newJob = (id: string, namespace: string, flowId = 'flow'): NewJob => ({
  ...{ id, flowId, kind: 'upsert', namespace, request: 'sealed', description: [], now: 1 },
})

async function prepared(t: TestContext) {
  const address = await preparedPostgres(t)
  const database = await openedPostgres(t, address)
  await flowStore(database.sql).insert(flowRow('flow'))
  return { address, database, jobs: postgresJobStore(database) }
}

/** The sources with visible chunks of a namespace. */
async function sourcesOf(database: PostgresDatabase, namespace: string): Promise<string[]> {
  const ledger = postgresLedger(database)
  const view = ledger.view(await ledger.find(namespace))
  const found: string[] = []
  for (const source of await view.sources())
    for (const _ of (await collect(view.visible(source))).flat()) found.push(source)
  return found.sort()
}

/** A job was done once: it has one end, one row of the history, and its chunk once. */
async function assertDoneOnce(database: PostgresDatabase, id: string, namespace: string): Promise<void> {
  assert.equal((await postgresJobStore(database).find(id))?.state, 'done')
  assert.equal((await historyStore(database.sql).list('flow')).filter(({ jobId }) => jobId === id).length, 1)
  assert.deepEqual(
    (await sourcesOf(database, namespace)).filter((source) => source === id),
    [id],
  )
}

for (const stage of ['begun', 'opened', 'staged', 'published'])
  test(`A job whose member is killed when it has ${stage} is taken over by another member, and done once`, async (t) => {
    const { address, database, jobs } = await prepared(t)
    const first = startChild(t, address, { hold: stage })
    await first.said('ready')
    await jobs.insert(newJob('job', 'space'), 0)
    await first.said(stage, 'job')
    const second = startChild(t, address)
    await second.said('ready')
    assert.equal(second.words.length, 1, 'a running job is not taken from a live node')
    first.process.kill('SIGKILL')
    await second.said('ended', 'job')
    await assertDoneOnce(database, 'job', 'space')
    assert.equal((await jobs.find('job'))?.changes, 5, 'queued, running, queued, running, done')
  })

for (const [stage, refusal] of [
  ['begun', 'turn_lost'],
  ['opened', 'run_not_open'],
  ['staged', 'run_not_open'],
  ['published', 'too late'],
] as const)
  test(`A member that is frozen when it has ${stage} a job can do nothing for it once it wakes, and works again afterwards`, async (t) => {
    const { address, database, jobs } = await prepared(t)
    const first = startChild(t, address, { hold: stage, ...SOON })
    await first.said('ready')
    await jobs.insert(newJob('job', 'space'), 0)
    await first.said(stage, 'job')
    first.process.kill('SIGSTOP')
    first.process.send('go')
    const second = startChild(t, address, SOON)
    await second.said('ended', 'job')
    first.process.kill('SIGCONT')
    await first.said(refusal, 'job')
    await assertDoneOnce(database, 'job', 'space')
    // The first has a new connection, as another member, and is alone now.
    second.process.kill('SIGKILL')
    await jobs.insert(newJob('next', 'space'), 0)
    await first.said(stage, 'next')
    first.process.send('go')
    await first.said('ended', 'next')
    await assertDoneOnce(database, 'next', 'space')
  })

test('Without the fence, a member that was frozen does a job a second time: the tests above can fail', async (t) => {
  const { address, database, jobs } = await prepared(t)
  const first = startChild(t, address, { hold: 'begun', fence: 'unfenced', ...SOON })
  await first.said('ready')
  await jobs.insert(newJob('job', 'space'), 0)
  await first.said('begun', 'job')
  first.process.kill('SIGSTOP')
  first.process.send('go')
  const second = startChild(t, address, SOON)
  await second.said('ended', 'job')
  first.process.kill('SIGCONT')
  await first.said('too late', 'job')
  assert.deepEqual(await sourcesOf(database, 'space'), ['job', 'job'])
})

test('Jobs of three members that are killed, and of a server that crashes, are done once and in the order of their namespace', async (t) => {
  const { address, database, jobs } = await prepared(t)
  const children = [1, 2, 3].map(() => startChild(t, address))
  for (const child of children) await child.said('ready')
  const ids = Array.from({ length: 60 }, (_, n) => `job-${String(n).padStart(2, '0')}`)
  const spaceOf = (id: string) => `space-${Number(id.slice(4)) % 6}`
  for (const id of ids) await jobs.insert(newJob(id, spaceOf(id)), 0)
  const ended = async () => {
    const row = await database.reader.get<{ n: number }>(
      `SELECT count(*) AS n FROM jobs WHERE state = 'done'`,
    )
    return row!.n
  }
  for (const [n, few] of [5, 15, 25].entries()) {
    await until(async () => (await ended()) >= few)
    children[n % 3]!.process.kill('SIGKILL')
    children[n % 3] = startChild(t, address)
  }
  await until(async () => (await ended()) >= 35)
  await (await postgresServer()).crash()
  await untilEqual(ended, ids.length)
  for (const id of ids) await assertDoneOnce(database, id, spaceOf(id))
  const order = await database.reader.all<{ id: string }>(
    'SELECT id FROM jobs ORDER BY lane, finished_at, seq',
  )
  const expected = ids.toSorted((a, b) => spaceOf(a).localeCompare(spaceOf(b)) || a.localeCompare(b))
  assert.deepEqual(
    order.map(({ id }) => id),
    expected,
  )
})
