import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Moment } from '../support/dying-desk.ts'
import { hashEmbedder } from '../support/hash-embedder.ts'
import { openDesk } from '../support/job-desk.ts'
import { temporaryData } from '../support/store.ts'

const CHILD = fileURLToPath(new URL('../support/dying-desk.ts', import.meta.url))

type Kind = 'upsert' | 'reindex'

/** Processes that work on a job each, the last of which is killed, and the desk that opens after them. */
async function afterDeath(t: TestContext, children: [kind: Kind, moment: Moment][]) {
  const { directory, open } = temporaryData(t)
  for (const [kind, moment] of children) {
    const [, signal] = await once(fork(CHILD, [directory, kind, moment]), 'exit')
    assert.equal(signal, moment === 'never' ? null : 'SIGKILL')
  }
  const database = open()
  const building = `SELECT passage_id FROM vectors JOIN passages ON passages.id = passage_id
    JOIN indexes ON indexes.id = index_id WHERE state = 'building'`
  const kept = database.reader.all(building).length
  const last = children.at(-1)![0]
  const dimensions = last === 'upsert' ? 8 : 4
  const embedder = hashEmbedder({ id: last, dimensions })
  const desk = await openDesk(database, path.join(directory, 'uploads'), { embedder })
  t.after(desk.close)
  const { rows } = await desk.jobs.list({ offset: 0, limit: 9 })
  return { ...desk, kept, ids: rows.map(({ id }) => id) }
}

test('a job that is killed between its publication and its end has the true counts after the next start [upsert:job:restart]', async (t) => {
  const { jobs, embedder, ids, history } = await afterDeath(t, [['upsert', 'end']])
  assert.partialDeepStrictEqual(await jobs.result(ids[0]!), {
    numAdded: 100,
    numSkipped: 0,
    totalKeys: 100,
    jobId: ids[0],
    files: [{ name: 'a.txt', status: 'indexed', added: 100 }],
  })
  assert.partialDeepStrictEqual(await jobs.find(ids[0]!), {
    state: 'done',
    progress: { stage: 'publish', chunks: { seen: 100, embedded: 100, written: 100 } },
  })
  assert.deepEqual(embedder.calls, [])
  assert.deepEqual(
    (await history.list('flow')).map(({ result }) => result.numAdded),
    [100],
  )
})

test('a reindex that is killed in its middle goes on at the next start and embeds nothing twice [upsert:reindex]', async (t) => {
  const { jobs, stores, embedder, ids, kept } = await afterDeath(t, [
    ['upsert', 'never'],
    ['reindex', 'middle'],
  ])
  assert.ok(kept > 0)
  assert.partialDeepStrictEqual(await jobs.result(ids[0]!), { numChunks: 100, numEmbedded: 100 - kept })
  assert.equal(embedder.embedded().length, 100 - kept)
  assert.equal(await stores.open('space').embedder(), 'reindex')
})

test('a reindex that is killed between its publication and its end is done after the next start [upsert:reindex]', async (t) => {
  const { jobs, stores, embedder, ids } = await afterDeath(t, [
    ['upsert', 'never'],
    ['reindex', 'end'],
  ])
  assert.partialDeepStrictEqual(await jobs.result(ids[0]!), { numChunks: 100, numEmbedded: 100 })
  assert.deepEqual(embedder.calls, [])
  const view = await stores.open('space').view('reindex')
  assert.deepEqual([await view.count(), view.dimensions], [100, 4])
})
