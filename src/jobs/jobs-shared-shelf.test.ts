import assert from 'node:assert/strict'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { hashEmbedder } from '../../test/support/hash-embedder.ts'
import { jobDesk, TEXTS } from '../../test/support/job-desk.ts'
import { blobDirectory } from '../blobs/directory.ts'
import type { Alone } from '../contract/alone.ts'
import { SluiceError } from '../kit/errors.ts'
import { blobUploadShelf } from './shelves/blob-upload-shelf.ts'

const HOUR = 3_600_000

/** Desks whose uploads are on a shelf that other servers use, too. */
function sharingDesk(t: TestContext) {
  const desk = jobDesk(t)
  const blobs = blobDirectory(path.join(desk.directory, 'shared'))
  const time = { now: Date.now() }
  const clock = () => time.now
  const shelf = blobUploadShelf(blobs, path.join(desk.directory, 'uploads'), { clock })
  return {
    ...desk,
    time,
    shelf,
    async stored() {
      const names: string[] = []
      for await (const batch of blobs.list('')) names.push(...batch.map(({ name }) => name))
      return names.sort()
    },
    open: (given: Parameters<typeof desk.open>[0] = {}) => desk.open({ shelf, clock, ...given }),
  }
}

const failing = () =>
  hashEmbedder({
    before() {
      throw new SluiceError('provider_failed', { provider: 'x', reason: 'y' })
    },
  })

test('a job with a shared shelf keeps its uploads there until it is done', async (t) => {
  const desk = sharingDesk(t)
  const first = await desk.open({ embedder: failing() })
  const id = await first.submit(TEXTS, { uploads: desk.upload('folder') })
  await assert.rejects(first.jobs.result(id))
  // Another server may retry it: what is here is a copy.
  assert.deepEqual([await desk.stored(), desk.hasFolder('folder')], [['uploads/folder/0'], false])
  await first.close()
  const second = await desk.open()
  await second.jobs.retry(id)
  await second.jobs.result(id)
  await second.close()
  assert.deepEqual([await desk.stored(), desk.hasFolder('folder')], [[], false])
})

test('submit() leaves nothing on a shared shelf where the job cannot be stored', async (t) => {
  const desk = sharingDesk(t)
  const { submit } = await desk.open()
  const submitted = submit(TEXTS, { uploads: desk.upload('folder'), flowId: 'unknown' })
  await assert.rejects(submitted, { code: 'flow_not_found' })
  assert.deepEqual([await desk.stored(), desk.hasFolder('folder')], [[], false])
})

test('submit() keeps uploads on a shared shelf where it is unknown whether the job was stored: it runs', async (t) => {
  const desk = sharingDesk(t)
  const first = await desk.open({
    store: (store) => ({
      ...store,
      async insert(job, since) {
        await store.insert(job, since)
        throw new SluiceError('database_answer_lost')
      },
    }),
  })
  await assert.rejects(first.submit(TEXTS, { uploads: desk.upload('folder') }), {
    code: 'database_answer_lost',
  })
  assert.deepEqual(await desk.stored(), ['uploads/folder/0'])
  await first.close()
  const second = await desk.open()
  const { rows } = await second.jobs.list({ offset: 0, limit: 2 })
  await second.jobs.result(rows[0]!.id)
  assert.deepEqual(second.read.length, 1)
})

test('resume() removes uploads that no job has from a shared shelf: after an hour, and on one member', async (t) => {
  const desk = sharingDesk(t)
  const asked: string[] = []
  let isMine = true
  const alone: Alone = async (name, work) => {
    asked.push(name)
    if (isMine) await work()
  }
  const first = await desk.open({ embedder: failing(), alone })
  const id = await first.submit(TEXTS, { uploads: desk.upload('needed') })
  await assert.rejects(first.jobs.result(id))
  // Another server is receiving it, or has been killed.
  await desk.shelf.keep('other', desk.upload('other').files)
  await first.close()
  const both = ['uploads/needed/0', 'uploads/other/0']

  desk.time.now += 0.9 * HOUR
  await (await desk.open({ alone })).close()
  assert.deepEqual(await desk.stored(), both)
  desk.time.now += 0.2 * HOUR
  isMine = false
  await (await desk.open({ alone })).close()
  assert.deepEqual(await desk.stored(), both)
  isMine = true
  await (await desk.open({ alone })).close()
  assert.deepEqual(await desk.stored(), ['uploads/needed/0'])
  assert.ok(asked.length >= 3 && asked.every((name) => name === 'uploads'))
})
