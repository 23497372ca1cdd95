import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobRecord, NewJob } from '../contract/job.ts'
import { SluiceError } from '../kit/errors.ts'
import { createSecretBox } from '../kit/secret-box.ts'
import { stillView } from './active/job-view.ts'
import { jobEnvelope } from './envelope.ts'
import type { Submission } from './jobs.ts'
import { submittingJobs, type SubmittingOptions } from './submit.ts'

const NOW = 100 * 3_600_000
const DAY = 24 * 3_600_000
const envelope = jobEnvelope(createSecretBox('key'))

const record = (id: string, state = 'queued'): JobRecord =>
  ({ id, state, kind: 'upsert', flowId: 'flow', owner: 'key:a', turn: 1 }) as unknown as JobRecord

/** What `submit` and `retry` do, in their order. `earlier` is the job of an equal request. */
function desk({
  earlier,
  insert = async (job: NewJob) => ({ job: record(job.id), repeated: false }),
  isLocal = false,
  stored = record('old', 'failed') as JobRecord,
  sealed = envelope.seal({ request: { text: 'x' }, traceparent: 'before' }),
  retried = record('old'),
}: {
  earlier?: JobRecord
  insert?: (job: NewJob) => Promise<{ job: JobRecord; repeated: boolean }>
  isLocal?: boolean
  stored?: JobRecord
  sealed?: string | null
  retried?: JobRecord | null
} = {}) {
  const done: unknown[] = []
  const inserted: NewJob[] = []
  const payloads: { request: string }[] = []
  const note = (what: string) => void done.push(what)
  const options = {
    store: {
      async findRepeated(_: unknown, since: number) {
        note(`sought since ${(NOW - since) / DAY} days`)
        return earlier
      },
      insert(job: NewJob, since: number) {
        note(`inserted since ${(NOW - since) / DAY} days`)
        inserted.push(job)
        return insert(job)
      },
      request: async () => sealed ?? undefined,
      async retry(_: string, payload: { request: string }) {
        payloads.push(payload)
        return retried ?? undefined
      },
    },
    shelf: { isLocal, check: async () => note('checked'), keep: async () => note('kept') },
    envelope,
    performers: {
      upsert: {
        renew: async (flowId: string, request: object) => ({
          request: { ...request, flowId },
          namespace: 'n',
        }),
      },
    },
    runner: { enqueue: ({ id }: JobRecord) => note(id === 'old' ? 'enqueued again' : 'enqueued') },
    known: { viewOf: stillView, findRecord: async () => stored },
    room: {
      check: (owner: string) => note(`room of ${owner}`),
      enter(owner: string) {
        note(`place of ${owner}`)
        return () => note('place given back')
      },
    },
    removeUploads: async (folder: string) => note(`dropped ${folder}`),
    traceparent: () => 'now',
    clock: () => NOW,
  } as unknown as SubmittingOptions
  const jobs = submittingJobs(options)
  const submit = (more: Partial<Submission> = {}) =>
    jobs.submit({
      ...({ request: { a: 1 }, kind: 'upsert', flowId: 'flow', owner: 'key:a', namespace: 'n' } as const),
      description: [],
      ...more,
    } as Submission)
  return { ...jobs, submit, done, inserted, payloads }
}

const file = (size: number) => ({ name: 'a', size, sha256: 'h' })
const uploads = { folder: 'folder', files: [file(3), file(4)] }
const idempotency = { key: 'k', hash: 'h' } as unknown as Submission['idempotency']

test('submit() stores a job with its sealed request and the bytes of its uploads, which are kept before', async () => {
  const { submit, done, inserted } = desk()
  const { job, repeated } = await submit({ uploads, fence: 'f'.repeat(32) })
  assert.equal(repeated, false)
  assert.match(job.id, /-f{32}$/)
  assert.deepEqual(done, [
    ...['place of key:a', 'checked', 'kept', 'inserted since 1 days', 'enqueued', 'place given back'],
  ])
  const { request, uploads: stored, now } = inserted[0]!
  assert.deepEqual([stored, now], [{ folder: 'folder', bytes: 7 }, NOW])
  assert.deepEqual(envelope.open(request), { request: { a: 1 }, files: uploads.files, traceparent: 'now' })
})

test('submit() answers with the job of an equal request within a day, and takes no place', async () => {
  const { submit, done } = desk({ earlier: record('first') })
  const { job, repeated } = await submit({ idempotency })
  assert.deepEqual([job.id, repeated], ['first', true])
  assert.deepEqual(done, ['sought since 1 days'])
})

test('submit() answers with the job of an equal request that came at the same time, and drops its own uploads', async () => {
  const both = async () => ({ job: record('first'), repeated: true })
  const { submit, done } = desk({ insert: both })
  const { job, repeated } = await submit({ idempotency, uploads })
  assert.deepEqual([job.id, repeated], ['first', true])
  assert.deepEqual(done.slice(-2), ['place given back', 'dropped folder'])
  assert.ok(!done.includes('enqueued'))
})

for (const [code, isLocal, isDropped] of [
  ['flow_not_found', false, true],
  ['flow_not_found', true, false],
  ['database_answer_lost', false, false],
] as const)
  test(`submit() ${isDropped ? 'drops' : 'leaves'} uploads on a ${isLocal ? 'local' : 'shared'} shelf after ${code}`, async () => {
    const insert = () => Promise.reject(new SluiceError(code))
    const { submit, done } = desk({ insert, isLocal })
    await assert.rejects(submit({ uploads }), { code })
    assert.deepEqual(
      [done.includes('place given back'), done.includes('dropped folder')],
      [true, isDropped],
    )
  })

test('findRepeated() looks a day back', async () => {
  const { findRepeated, done } = desk({ earlier: record('first') })
  assert.equal((await findRepeated(idempotency!))?.id, 'first')
  assert.deepEqual(done, ['sought since 1 days'])
  assert.equal(await desk().findRepeated(idempotency!), undefined)
})

test('retry() queues a failed or cancelled job with the renewed request, new passwords and its files', async () => {
  for (const state of ['failed', 'cancelled']) {
    const sealed = envelope.seal({ request: { text: 'x' }, files: [file(1)], traceparent: 'before' })
    const { retry, done, payloads } = desk({ stored: record('old', state), sealed })
    assert.equal((await retry('old', { '*': 'winter' })).id, 'old')
    assert.deepEqual(done, ['room of key:a', 'enqueued again'])
    assert.deepEqual(envelope.open(payloads[0]!.request), {
      request: { text: 'x', passwords: { '*': 'winter' }, flowId: 'flow' },
      files: [file(1)],
      traceparent: 'now',
    })
  }
  const { retry, payloads } = desk()
  await retry('old')
  assert.deepEqual(envelope.open(payloads[0]!.request).request, { text: 'x', flowId: 'flow' })
})

test('retry() refuses jobs in other states, those whose request is gone, and those that somebody else has retried', async () => {
  for (const state of ['queued', 'running', 'done']) {
    const facts = { id: 'old', state }
    await assert.rejects(desk({ stored: record('old', state) }).retry('old'), {
      code: 'job_not_retryable',
      facts,
    })
  }
  const expired = { code: 'job_expired', facts: { id: 'old' } }
  await assert.rejects(desk({ sealed: null }).retry('old'), expired)
  const late = desk({ retried: null })
  await assert.rejects(late.retry('old'), { code: 'job_not_retryable' })
  assert.deepEqual(late.done, ['room of key:a'])
})
