import assert from 'node:assert/strict'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { hashEmbedder } from '../../test/support/hash-embedder.ts'
import { jobDesk, TEXTS, until } from '../../test/support/job-desk.ts'
import { blobDirectory } from '../blobs/directory.ts'
import { SluiceError } from '../kit/errors.ts'
import { blobUploadShelf } from './shelves/blob-upload-shelf.ts'

/** Desks whose uploads are in a bucket that can be away. */
function awayDesk(t: TestContext) {
  const desk = jobDesk(t)
  const directory = blobDirectory(path.join(desk.directory, 'shared'))
  const bucket = { isAway: false, isUnreadable: false, reads: 0 }
  const fail = () => {
    throw new SluiceError('blob_failed', { bucket: 'b', host: 'h', reason: 'it is away' })
  }
  const blobs: typeof directory = {
    ...directory,
    async get(...given) {
      bucket.reads++
      if (bucket.isAway || bucket.isUnreadable) fail()
      return directory.get(...given)
    },
  }
  const check = async () => void (bucket.isAway && fail())
  const spool = path.join(desk.directory, 'uploads')
  const shelf = blobUploadShelf(blobs, spool, { check })
  let isBroken = false
  const embedder = hashEmbedder({ before: () => void (isBroken && fail()) })
  return {
    ...desk,
    bucket,
    async open() {
      const opened = await desk.open({ shelf, slots: 1, embedder })
      const { jobs, submit } = opened
      /** A failed job, whose file is in the bucket and not on this server any more. */
      async function failed(folder: string, more: Parameters<typeof submit>[1] = {}) {
        isBroken = true
        const id = await submit(TEXTS, { uploads: desk.upload(folder), space: folder, ...more })
        await assert.rejects(jobs.result(id))
        isBroken = false
        return id
      }
      const stateOf = async (id: string) => {
        const { state, waitsFor } = (await jobs.find(id))!
        return [state, waitsFor]
      }
      return {
        ...opened,
        failed,
        stateOf,
        untilWaiting: (id: string) => until(async () => String(await stateOf(id)) === String(WAITS)),
      }
    },
  }
}

const WAITS = ['queued', 'upload store']

test('a job whose files are in a bucket that is away waits, and runs when the bucket is back; others go on [upsert:job:away]', async (t) => {
  const { bucket, upload, open } = awayDesk(t)
  const { jobs, failed, submit, stateOf, untilWaiting, read } = await open()
  const [first, second, third] = [await failed('one'), await failed('two'), await failed('three')]
  const readBefore = read.length
  const ends: string[] = []
  const end = (id: string) => jobs.result(id).then(() => void ends.push(id))
  bucket.isAway = true
  for (const id of [first, second]) {
    await jobs.retry(id)
    await untilWaiting(id)
  }
  assert.equal(bucket.reads, 0, 'the check says soon that it is away')
  // In other namespaces, and of other owners in the same one.
  await jobs.result(await submit(TEXTS, { space: 'other' }))
  await jobs.result(await submit(TEXTS, { space: 'one', owner: 'key:b' }))
  // The later ones of its owner in its namespace keep their order.
  const later = await submit({ 'a.txt': ['three'] }, { space: 'one' })
  assert.deepEqual([await stateOf(later), read.length], [['queued', undefined], readBefore])
  const both = [first, later].map(end)
  bucket.isAway = false
  await Promise.all(both)
  await jobs.result(second)
  assert.deepEqual([ends, read.length], [[first, later], readBefore + 2])
  await jobs.retry(third)
  await jobs.result(third)
  await jobs.result(await submit(TEXTS, { uploads: upload('four') }))
})

test('a job that waits for its files can be cancelled, and those behind it go on [upsert:job:away]', async (t) => {
  const { bucket, open } = awayDesk(t)
  const { jobs, failed, submit, untilWaiting } = await open()
  const id = await failed('one')
  bucket.isAway = true
  await jobs.retry(id)
  await untilWaiting(id)
  const behind = await submit(TEXTS, { space: 'one' })
  const followed = (async () => {
    const seen: unknown[] = []
    for await (const job of jobs.events(id, { signal: new AbortController().signal }))
      seen.push([job.state, job.waitsFor])
    return seen
  })()
  assert.equal((await jobs.cancel(id)).state, 'cancelled')
  await jobs.result(behind)
  assert.deepEqual((await followed).at(-1), ['cancelled', undefined])
  await assert.rejects(jobs.result(id), { code: 'cancelled' })
})

test('a job that waits for its files is queued after a restart, and is removed with its flow [upsert:job:away]', async (t) => {
  const { bucket, open } = awayDesk(t)
  const first = await open()
  const id = await first.failed('one')
  const gone = await first.failed('two', { flowId: 'other', owner: 'flow:other' })
  bucket.isAway = true
  for (const one of [id, gone]) {
    await first.jobs.retry(one)
    await first.untilWaiting(one)
  }
  await first.jobs.drop('other', async () => {})
  assert.equal((await first.jobs.find(gone))?.state, 'cancelled')
  await first.close()
  const second = await open()
  await second.untilWaiting(id)
  bucket.isAway = false
  await second.jobs.result(id)
})

test('a job whose files cannot be read from a bucket that answers fails at last, with the reason [upsert:job:away]', async (t) => {
  const { bucket, open } = awayDesk(t)
  const { jobs, failed, store } = await open()
  const id = await failed('one')
  bucket.isUnreadable = true
  t.mock.timers.enable({ apis: ['setTimeout'] })
  await jobs.retry(id)
  while ((await store.find(id))!.state !== 'failed') {
    t.mock.timers.tick(30_000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  t.mock.timers.reset()
  assert.equal((await jobs.find(id))!.error!.code, 'blob_failed')
  assert.ok(bucket.reads > 10)
  bucket.isUnreadable = false
  await jobs.retry(id)
  await jobs.result(id)
})
