import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { hashEmbedder } from '../../test/support/hash-embedder.ts'
import { gate, gated, jobDesk, many, TEXTS, until } from '../../test/support/job-desk.ts'
import { SluiceError } from '../kit/errors.ts'

test('retry() runs a failed job again under its id, and embeds nothing twice', async (t) => {
  const desk = jobDesk(t)
  let failing = true
  const embedder = hashEmbedder({
    limits: { texts: 1, bytes: 1000 },
    concurrency: 1,
    before(texts) {
      if (failing && texts[0] === 'text 5')
        throw new SluiceError('provider_failed', { provider: 'x', reason: 'y' })
    },
  })
  const { jobs, submit, history, read } = await desk.open({ embedder })
  const id = await submit({ 'a.txt': many(10) }, { uploads: desk.upload('folder') })
  await assert.rejects(jobs.result(id), { code: 'provider_failed' })
  failing = false
  assert.partialDeepStrictEqual(await jobs.retry(id), { id, error: null, finishedAt: null })
  assert.partialDeepStrictEqual(await jobs.result(id), { numAdded: 10, jobId: id })
  assert.deepEqual(embedder.embedded().toSorted(), many(10).toSorted())
  assert.equal(read.length, 2)
  assert.equal(desk.hasFolder('folder'), false)
  assert.equal((await history.list('flow')).length, 2)
  await assert.rejects(jobs.retry(id), { code: 'job_not_retryable', status: 409 })
})

test('retry() uses the request that renew() gives', async (t) => {
  const { jobs, submit, chunks } = await jobDesk(t).open({
    renew: async (flowId, request) => ({
      request: { ...request, texts: { [flowId]: ['mended'] }, space: 'elsewhere' },
      namespace: 'elsewhere',
      description: [],
    }),
    embedder: hashEmbedder({
      before([text]) {
        if (text === 'broken') throw new Error('no such thing')
      },
    }),
  })
  const id = await submit({ 'a.txt': ['broken'] })
  await assert.rejects(jobs.result(id), { code: 'internal' })
  await jobs.retry(id)
  await jobs.result(id)
  assert.equal(await chunks('elsewhere'), 1)
})

test('close() puts running jobs back into the queue, and the next start continues without embedding twice', async (t) => {
  const desk = jobDesk(t)
  let calls = 0
  const reached = Promise.withResolvers<void>()
  const first = await desk.open({
    embedder: hashEmbedder({
      limits: { texts: 1, bytes: 1000 },
      concurrency: 1,
      async before(_, signal) {
        if (++calls < 20) return
        reached.resolve()
        await new Promise((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason)))
      },
    }),
  })
  const running = await first.submit({ 'a.txt': many(40) }, { uploads: desk.upload('running') })
  const queued = await first.submit({ 'b.txt': ['later'] })
  const interrupted = [running, queued].map((id) =>
    assert.rejects(first.jobs.result(id), { code: 'stopping' }),
  )
  await reached.promise
  await first.close()
  await Promise.all(interrupted)

  const second = await desk.open()
  assert.partialDeepStrictEqual(await second.jobs.result(running), { numAdded: 40 })
  assert.partialDeepStrictEqual(await second.jobs.result(queued), { numAdded: 1 })
  const embedded = [...first.embedder.embedded(), ...second.embedder.embedded()]
  assert.deepEqual(embedded.toSorted(), [...many(40), 'later'].toSorted())
  assert.ok(first.embedder.embedded().length >= 19)
  assert.equal(await second.chunks(), 41)
  assert.deepEqual(
    (await second.history.list('flow')).map(({ result }) => result.numAdded).toSorted(),
    [1, 40],
  )
})

test('resume() sweeps uploads that no job needs, and keeps those that one does', async (t) => {
  const desk = jobDesk(t)
  const embedder = hashEmbedder({
    before() {
      throw new SluiceError('provider_failed', { provider: 'x', reason: 'y' })
    },
  })
  const first = await desk.open({ embedder })
  const id = await first.submit(TEXTS, { uploads: desk.upload('failed') })
  await assert.rejects(first.jobs.result(id))
  await first.close()
  desk.upload('of no job')
  const second = await desk.open()
  assert.deepEqual([desk.hasFolder('failed'), desk.hasFolder('of no job')], [true, false])
  await second.jobs.retry(id)
  await second.jobs.result(id)
})

test('the request and uploads of a failed job are deleted after a day, and then it cannot be retried', async (t) => {
  const desk = jobDesk(t)
  let now = 1_000_000
  const embedder = hashEmbedder({
    before() {
      throw new SluiceError('provider_failed', { provider: 'x', reason: 'y' })
    },
  })
  const { jobs, submit } = await desk.open({ embedder, clock: () => now })
  const old = await submit(TEXTS, { uploads: desk.upload('old') })
  await assert.rejects(jobs.result(old))
  now += 25 * 3_600_000
  const fresh = await submit(TEXTS, { uploads: desk.upload('fresh') })
  await assert.rejects(jobs.result(fresh))
  await until(() => !desk.hasFolder('old'))
  assert.ok(desk.hasFolder('fresh'))
  await assert.rejects(jobs.retry(old), { code: 'job_expired', status: 409 })
})

test('a request is stored sealed: no file of the database shows its secrets', async (t) => {
  const desk = jobDesk(t)
  const embedder = hashEmbedder({
    before() {
      throw new SluiceError('provider_failed', { provider: 'x', reason: 'y' })
    },
  })
  const { jobs, submit, close, store } = await desk.open({ embedder })
  const secret = 'sk-this-is-a-secret'
  const id = await submit(TEXTS, { request: { texts: TEXTS, space: 'space', openAIApiKey: secret } })
  await assert.rejects(jobs.result(id))
  assert.ok((await store.request(id))!.length > secret.length)
  await close()
  for (const file of readdirSync(desk.directory).filter((name) => name.startsWith('sluice.db')))
    assert.ok(!readFileSync(path.join(desk.directory, file)).includes(secret), file)
})

test('a job that was encrypted with another key fails with secret_unreadable', async (t) => {
  const desk = jobDesk(t)
  const door = gate()
  const first = await desk.open({ embedder: gated(door) })
  const id = await first.submit(TEXTS)
  await door.arrived
  await first.close()
  const { jobs } = await desk.open({ key: 'another key' })
  await assert.rejects(jobs.result(id), { code: 'secret_unreadable' })
  assert.equal((await jobs.find(id))!.state, 'failed')
})
