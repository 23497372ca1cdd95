import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { collect } from '../../test/support/collect.ts'
import { hashEmbedder } from '../../test/support/hash-embedder.ts'
import { gate, gated, jobDesk, many, TEXTS, until } from '../../test/support/job-desk.ts'
import { SluiceError } from '../kit/errors.ts'

const never = new AbortController().signal

test('submit() runs a job whose result is that of the upsert, and leaves a row of the history', async (t) => {
  const { jobs, submit, history } = await jobDesk(t).open()
  const id = await submit(TEXTS)
  const result = await jobs.result(id)
  assert.partialDeepStrictEqual(result, { numAdded: 3, numSkipped: 0, numFailed: 0, jobId: id })
  const job = await jobs.find(id)
  assert.partialDeepStrictEqual(job, {
    state: 'done',
    error: null,
    progress: {
      stage: 'publish',
      files: { total: 2, done: 2 },
      chunks: { seen: 3, embedded: 3, written: 3 },
    },
  })
  assert.deepEqual(job!.result, result)
  const [row] = await history.list('flow')
  assert.partialDeepStrictEqual(row, { result: { numAdded: 3 }, flowData: [{ name: 'texts' }] })
  assert.equal(row!.result.files, undefined)
})

test('a job reads its uploads from the shelf; done, it leaves nothing there', async (t) => {
  const desk = jobDesk(t)
  const { jobs, submit, read } = await desk.open()
  const id = await submit(TEXTS, { uploads: desk.upload('folder') })
  await jobs.result(id)
  assert.deepEqual(read, [path.join(desk.directory, 'uploads/folder/0')])
  assert.equal(desk.hasFolder('folder'), false)
})

test('a failed job has its error, publishes nothing, keeps its uploads, and has a row of the history', async (t) => {
  const desk = jobDesk(t)
  const embedder = hashEmbedder({
    before() {
      throw new SluiceError('provider_failed', { provider: 'hash', reason: 'overloaded', stage: 'embed' })
    },
  })
  const { jobs, submit, history, chunks } = await desk.open({ embedder })
  const id = await submit(TEXTS, { uploads: desk.upload('folder') })
  const failure = { code: 'provider_failed', status: 502, message: 'hash failed: overloaded' }
  await assert.rejects(jobs.result(id), failure)
  const { state, error } = (await jobs.find(id))!
  assert.equal(state, 'failed')
  assert.partialDeepStrictEqual(error, {
    code: failure.code,
    message: failure.message,
    facts: { stage: 'embed' },
  })
  assert.equal(await chunks(), 0)
  assert.ok(desk.hasFolder('folder'))
  assert.deepEqual(
    (await history.list('flow')).map(({ result }) => result),
    [{ error: { code: failure.code, message: failure.message } }],
  )
})

test('cancel() stops the embedding at once and leaves nothing to be seen', async (t) => {
  const desk = jobDesk(t)
  const door = gate()
  const embedder = gated(door)
  const { jobs, submit, chunks } = await desk.open({ embedder })
  const id = await submit({ 'a.txt': many(50) }, { uploads: desk.upload('folder') })
  const waiting = assert.rejects(jobs.result(id), { code: 'cancelled', status: 499 })
  await door.arrived
  assert.partialDeepStrictEqual(await jobs.cancel(id), {
    id,
    state: 'cancelled',
    error: { code: 'cancelled' },
  })
  await waiting
  door.let()
  assert.deepEqual(embedder.calls, [])
  assert.equal(await chunks(), 0)
  await assert.rejects(jobs.cancel(id), { code: 'job_ended', status: 409 })

  await jobs.retry(id)
  assert.partialDeepStrictEqual(await jobs.result(id), { numAdded: 50 })
})

test('cancel() removes a job from the queue that never began; it has no row of the history', async (t) => {
  const door = gate()
  const { jobs, submit, history } = await jobDesk(t).open({ embedder: gated(door) })
  const first = await submit({ 'a.txt': ['first'] })
  const second = await submit({ 'b.txt': ['second'] })
  await door.arrived
  assert.partialDeepStrictEqual(await jobs.cancel(second), { state: 'cancelled', startedAt: null })
  door.let()
  await jobs.result(first)
  assert.equal((await history.list('flow')).length, 1)
  await assert.rejects(jobs.cancel('unknown'), { code: 'job_not_found', status: 404 })
})

test('jobs of one namespace take turns, those of another pass them', async (t) => {
  const door = gate()
  const { jobs, submit } = await jobDesk(t).open({ embedder: gated(door) })
  const ids = [
    await submit({ a: ['1'] }),
    await submit({ a: ['2'] }),
    await submit({ a: ['3'] }, { space: 'other' }),
  ]
  const states = async () => Promise.all(ids.map(async (id) => (await jobs.find(id))!.state))
  await until(async () => (await states()).join() === 'running,queued,running')
  door.let()
  for (const id of ids) await jobs.result(id)
  assert.deepEqual(await states(), ['done', 'done', 'done'])
})

test('submit() joins an equal request with the same key, under way or done', async (t) => {
  const door = gate()
  const { jobs, embedder } = await jobDesk(t).open({ embedder: gated(door) })
  const submission = {
    request: { texts: TEXTS, space: 'space' },
    namespace: 'space',
    description: [],
    kind: 'upsert' as const,
    flowId: 'flow',
    owner: 'key:a',
    idempotency: { scope: 'key', fingerprint: 'sent' },
  }
  const first = await jobs.submit(submission)
  await door.arrived
  const joined = await jobs.submit(submission)
  assert.deepEqual([joined.job.id, joined.repeated], [first.job.id, true])
  const results = Promise.all([jobs.result(first.job.id), jobs.result(joined.job.id)])
  door.let()
  const [one, two] = await results
  assert.deepEqual(one, two)
  assert.equal((await jobs.submit(submission)).job.id, first.job.id)
  assert.equal(embedder.embedded().length, 3)
  const other = { ...submission, idempotency: { scope: 'key', fingerprint: 'other' } }
  await assert.rejects(jobs.submit(other), { code: 'idempotency_mismatch' })
})

test('events() shows a job from the queue to its end, each version once, and resumes after one', async (t) => {
  const door = gate()
  const { jobs, submit } = await jobDesk(t).open({ embedder: gated(door) })
  const blocking = await submit({ a: ['first'] })
  await door.arrived
  const id = await submit(TEXTS)
  const following = collect(jobs.events(id, { signal: never }))
  door.let()
  await jobs.result(blocking)
  await jobs.result(id)
  const views = await following
  const versions = views.map(({ version }) => version)
  assert.equal(new Set(versions).size, versions.length)
  assert.equal(views[0]!.state, 'queued')
  const last = views.at(-1)!
  assert.partialDeepStrictEqual(last, { state: 'done', result: { numAdded: 3 } })

  const resumed = await collect(jobs.events(id, { seen: versions[0], signal: never }))
  assert.deepEqual(
    resumed.map(({ version }) => version),
    [last.version],
  )
  assert.deepEqual(await collect(jobs.events(id, { seen: last.version, signal: never })), [])
})

test('events() ends when its signal aborts, and when the server stops', async (t) => {
  const door = gate()
  const desk = await jobDesk(t).open({ embedder: gated(door) })
  const id = await desk.submit(TEXTS)
  await door.arrived
  const looking = new AbortController()
  const seen: string[] = []
  for await (const { state } of desk.jobs.events(id, { signal: looking.signal })) {
    seen.push(state)
    looking.abort()
  }
  assert.deepEqual(seen, ['running'])
  const following = collect(desk.jobs.events(id, { signal: never }))
  await desk.close()
  assert.equal((await following).at(-1)!.state, 'queued')
})

test('the progress of a running job is kept while it runs', async (t) => {
  const door = gate()
  const embedder = hashEmbedder({
    limits: { texts: 1, bytes: 1000 },
    concurrency: 1,
    before: ([text], signal) => (text === 'text 9' ? door.pass(signal) : undefined),
  })
  const { jobs, submit, store } = await jobDesk(t).open({ embedder })
  const id = await submit({ a: many(10) })
  await until(async () => (await store.find(id))!.progress?.chunks.embedded === 9)
  assert.partialDeepStrictEqual(await jobs.find(id), {
    state: 'running',
    progress: { chunks: { seen: 10, embedded: 9 } },
  })
  door.let()
  await jobs.result(id)
})

test('drop() ends the jobs of a removed flow, and no other', async (t) => {
  const desk = jobDesk(t)
  const door = gate()
  const { jobs, submit, flows, history } = await desk.open({ embedder: gated(door) })
  const running = await submit(TEXTS, { uploads: desk.upload('running') })
  const queued = await submit(TEXTS, { uploads: desk.upload('queued') })
  const other = await submit(TEXTS, { flowId: 'other', space: 'other', namespace: 'other' })
  const gone = [running, queued].map((id) => assert.rejects(jobs.result(id), { code: 'cancelled' }))
  await door.arrived
  await jobs.drop('flow', () => flows.remove('flow'))
  await Promise.all(gone)
  for (const id of [running, queued]) assert.equal(await jobs.find(id), undefined)
  assert.deepEqual([desk.hasFolder('running'), desk.hasFolder('queued')], [false, false])
  assert.deepEqual(await history.list('flow'), [])
  door.let()
  await jobs.result(other)
})
