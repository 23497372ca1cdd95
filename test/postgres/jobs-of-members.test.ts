import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import type { JobAnswer } from '../../src/api/job.ts'
import { JOB_STAGES } from '../../src/contract/job.ts'
import { readConfig } from '../../src/kit/config.ts'
import { quietLog } from '../../src/kit/log.ts'
import { startPlatform } from '../../src/main.ts'
import { readEvents } from '../support/event-stream.ts'
import { heldFlow, longText } from '../support/held-flow.ts'
import { ADMIN_KEY, answerOf, form } from '../support/platform.ts'
import { pgbouncer } from '../support/pgbouncer.ts'
import { newPostgres } from '../support/postgres.ts'
import { startProviderServer } from '../support/provider-server.ts'
import { newBucketUrl } from '../support/s3-server.ts'
import { until, untilEqual } from '../support/until.ts'
import { needs } from '../support/needs.ts'

await needs('PostgreSQL', 'PgBouncer', 'the S3 server of the tests')

/*
 * Two servers over one database, one of them through PgBouncer in transaction mode: what one of them runs is seen and stopped from the
 * other.
 */

const { address, drop } = await newPostgres()
after(drop)
const shared = {
  BLOB_URL: await newBucketUrl(),
  SECRET_KEY: 'the-secret-of-the-nodes',
}
const provider = await startProviderServer()
after(() => provider.close())

async function start(places: { DATABASE_URL: string; DATABASE_DIRECT_URL?: string }) {
  const directory = mkdtempSync(path.join(tmpdir(), 'sluice-node-'))
  const flags = { PORT: '0', DATA_DIR: directory, ADMIN_KEY, EGRESS_ALLOW: '127.0.0.1', ...shared, ...places }
  const server = await startPlatform(readConfig({ flags, environment: {}, directory }), quietLog)
  let closing: Promise<void> | undefined
  const close = () =>
    (closing ??= server.close().then(() => rmSync(directory, { recursive: true, force: true })))
  after(close)
  async function call<Body>(method: string, place: string, body?: object) {
    const response = await request(method, place, body)
    return answerOf<Body>(response.status, response.headers, await response.text())
  }
  const request = (method: string, place: string, body?: object, headers: Record<string, string> = {}) =>
    fetch(server.url + place, {
      method,
      headers: {
        authorization: `Bearer ${ADMIN_KEY}`,
        ...(body && !(body instanceof FormData) ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(body ? { body: body instanceof FormData ? body : JSON.stringify(body) } : {}),
    })
  return { request, call, close }
}

type TestMember = Awaited<ReturnType<typeof start>>

const pooled = await pgbouncer({ after }, 'transaction', address, 5)
const [one, two] = [
  await start({ DATABASE_URL: address }),
  await start({ DATABASE_URL: pooled, DATABASE_DIRECT_URL: address }),
]

/** Begins an upsert that runs until the provider is released, and finds which member runs it. */
async function heldJob(name: string) {
  const members = [one, two]
  provider.hold(3)
  const flow = await heldFlow(one.call, provider, name)
  const { body } = await one.call<{ jobId: string }>(
    'POST',
    `/api/v1/vector/upsert/${flow}?async=true`,
    form({ 'book.txt': longText(name) }),
  )
  const id = body.jobId
  await until(async () => (await jobOf(two, id)).state === 'running')
  let runs: number[] = []
  // The figure of a member follows its job.
  await untilEqual(async () => {
    runs = await Promise.all(members.map((member) => runningOn(member)))
    return runs.toSorted()
  }, [0, 1])
  const place = runs.indexOf(1)
  return { id, flow, here: members[place]!, elsewhere: members[1 - place]! }
}

const jobOf = async (member: TestMember, id: string) => {
  const { body } = await member.call<JobAnswer>('GET', `/api/v1/jobs/${id}`)
  return body
}

/** How many jobs run on a member itself. */
async function runningOn(member: TestMember): Promise<number> {
  const text = await (await member.request('GET', '/metrics')).text()
  return Number(/sluice_jobs\{state="running"\} (\d+)/.exec(text)![1])
}

test('a job is seen with its progress and its files on the member that does not run it [jobs:nodes]', async () => {
  const { id, elsewhere } = await heldJob('whales')
  await until(async () => ((await jobOf(elsewhere, id)).chunks?.embedded ?? 0) > 0)
  await until(async () => {
    const { body } = await elsewhere.call<{ data: { name: string }[] }>('GET', `/api/v1/jobs/${id}/files`)
    return body.data[0]?.name === 'book.txt'
  })
  await elsewhere.call('POST', `/api/v1/jobs/${id}/cancel`)
  provider.release()
})

test('a job is cancelled from the member that does not run it: it has ended when the answer comes, and its member has stopped [jobs:nodes]', async () => {
  const { id, here, elsewhere } = await heldJob('ships')
  const { status, body } = await elsewhere.call<JobAnswer>('POST', `/api/v1/jobs/${id}/cancel`)
  assert.deepEqual([status, body.state], [200, 'cancelled'])
  assert.equal((await jobOf(here, id)).state, 'cancelled')
  await until(async () => (await runningOn(here)) === 0)
  provider.release()
})

test('a stream of a job goes on with Last-Event-ID on another member, to its end [jobs:nodes]', async () => {
  const { id, here, elsewhere } = await heldJob('harbours')
  const first = await here.request('GET', `/api/v1/jobs/${id}/events`)
  let seen = ''
  for await (const event of readEvents(first)) {
    seen = event.id
    const { chunks } = JSON.parse(event.data) as JobAnswer
    if ((chunks?.embedded ?? 0) > 0) break
  }
  const rest = await elsewhere.request('GET', `/api/v1/jobs/${id}/events`, undefined, {
    'last-event-id': seen,
  })
  provider.release()
  const states: string[] = []
  let last = ''
  for await (const event of readEvents(rest)) {
    states.push((JSON.parse(event.data) as JobAnswer).state)
    last = event.id
  }
  assert.equal(states.at(-1), 'done')
  // A client that has seen the end on one member gets nothing more on the other.
  const again = await here.request('GET', `/api/v1/jobs/${id}/events`, undefined, { 'last-event-id': last })
  assert.equal(await again.text().then((text) => text.includes('data:')), false)
})

test('a request that waits for its job gets the result from the member that ran it [jobs:nodes]', async () => {
  const flow = await heldFlow(one.call, provider, 'waiting')
  provider.release()
  const answers = await Promise.all(
    [one, two, one, two].map((member, at) =>
      member.call<{ numAdded: number }>(
        'POST',
        `/api/v1/vector/upsert/${flow}`,
        form({ [`${at}.txt`]: `Text ${at} of several.` }),
      ),
    ),
  )
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.numAdded]),
    Array(4).fill([200, 1]),
  )
})

/** The counts of a job, the attempt first: none of them is smaller in a later reading of the same attempt. */
const figuresOf = ({ attempt, state, stage, files, chunks, nodes }: JobAnswer): number[] => [
  attempt,
  ['queued', 'running', 'done', 'failed', 'cancelled'].indexOf(state),
  stage === null ? -1 : JOB_STAGES.indexOf(stage),
  ...[files.total, files.done, files.failed, chunks.seen, chunks.embedded, chunks.written],
  ...nodes.flatMap((node) => [
    node.files,
    node.documents,
    node.chunks,
    node.embedded,
    node.reused,
    node.errors,
  ]),
]

/** Fails where a figure of a reading is smaller than in the one before, of the same attempt. */
function assertNeverFalls(readings: readonly number[][]): void {
  for (const [at, now] of readings.entries()) {
    const before = readings[at - 1]
    if (!before || now[0]! > before[0]!) continue
    const fallen = before.findIndex((figure, n) => (now[n] ?? 0) < figure)
    assert.equal(fallen, -1, `reading ${at}: ${before.join(' ')} became ${now.join(' ')}`)
  }
}

test('the progress of a job never falls, whichever member is asked, and however [jobs:progress]', async () => {
  const flow = await heldFlow(one.call, provider, 'progress')
  provider.release()
  const texts = Object.fromEntries(
    ['a', 'b', 'c', 'd'].map((name) => [`${name}.txt`, longText(`sea ${name}`, 5000)]),
  )
  const { body } = await one.call<{ jobId: string }>(
    'POST',
    `/api/v1/vector/upsert/${flow}?async=true`,
    form(texts),
  )
  const id = body.jobId
  /** The first event of a new connection to the stream of the job. */
  const firstEvent = async (member: TestMember): Promise<JobAnswer> => {
    for await (const { data } of readEvents(await member.request('GET', `/api/v1/jobs/${id}/events`)))
      return JSON.parse(data) as JobAnswer
    return jobOf(member, id)
  }
  const listed = async (member: TestMember): Promise<JobAnswer> => {
    const { body: page } = await member.call<{ data: JobAnswer[] }>('GET', '/api/v1/jobs?limit=5')
    return page.data.find((job) => job.id === id)!
  }
  const doneFiles = async (member: TestMember): Promise<number> => {
    const { body: page } = await member.call<{ total: number }>(
      'GET',
      `/api/v1/jobs/${id}/files?state=indexed`,
    )
    return page.total
  }
  const readings: number[][] = []
  const files: number[][] = []
  for (let turn = 0; ; turn++) {
    const member = [one, two][turn % 2]!
    const read = [jobOf, jobOf, jobOf, firstEvent, jobOf, listed][Math.floor(turn / 2) % 6]!
    const job = await read(member, id)
    readings.push(figuresOf(job))
    files.push([1, await doneFiles(member)])
    if (job.state !== 'queued' && job.state !== 'running') break
  }
  assertNeverFalls(readings)
  assertNeverFalls(files)
  assert.ok(new Set(readings.map(String)).size > 5, `${readings.length} readings saw too little of the job`)
  assert.deepEqual([readings.at(-1)![0], files.at(-1)![1]], [1, 4])
})

test('a job that is tried again begins a new attempt, which says why its progress is smaller [jobs:progress]', async () => {
  const { id, here, elsewhere } = await heldJob('anchors')
  await until(async () => ((await jobOf(elsewhere, id)).chunks?.embedded ?? 0) > 0)
  await here.call('POST', `/api/v1/jobs/${id}/cancel`)
  const retried = (await elsewhere.call<JobAnswer>('POST', `/api/v1/jobs/${id}/retry`)).body
  assert.deepEqual([retried.attempt, retried.state, retried.chunks.seen], [2, 'queued', 0])
  const readings: number[][] = []
  await until(async () => {
    for (const member of [one, two]) readings.push(figuresOf(await jobOf(member, id)))
    return readings.at(-1)![6]! > 0
  })
  assertNeverFalls(readings)
  assert.ok(readings.every(([attempt]) => attempt === 2))
  await here.call('POST', `/api/v1/jobs/${id}/cancel`)
  provider.release()
})

test('a member that stops gives its job to the other one, which embeds only what was not stored [jobs:nodes]', async () => {
  const { id, flow, here, elsewhere } = await heldJob('lighthouses')
  const readings = [figuresOf(await jobOf(elsewhere, id))]
  const read = async () => {
    const job = await jobOf(elsewhere, id)
    readings.push(figuresOf(job))
    return job
  }
  await until(async () => (await read()).chunks.embedded > 0)
  await here.close()
  await until(async () => (await read()).attempt === 2 && (await runningOn(elsewhere)) === 1)
  provider.release()
  await until(async () => (await read()).state === 'done')
  assertNeverFalls(readings)
  const { body } = await elsewhere.call<{ data: unknown[]; total: number }>(
    'GET',
    `/api/v1/vector/chunks/${flow}?limit=1`,
  )
  assert.equal(body.total, 20_000)
})
