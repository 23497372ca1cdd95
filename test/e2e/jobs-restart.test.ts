import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import type { JobAnswer } from '../../src/api/job.ts'
import { collect } from '../support/collect.ts'
import { readEvents } from '../support/event-stream.ts'
import { form } from '../support/platform.ts'
import { room, start } from '../support/program.ts'

const LINES = 20_000
const document = Array.from(
  { length: LINES },
  (_, i) => `Line ${i} tells of the otter number ${i * 7}.`,
).join('\n')

/** Asks for a job that takes a while, and for one behind it. */
async function submit(url: string): Promise<string[]> {
  const ids: string[] = []
  for (const [name, text] of [
    ['large.txt', document],
    ['small.txt', 'A badger digs.'],
  ]) {
    const answer = await fetch(`${url}/api/v1/vector/upsert/quickstart?async=true`, {
      method: 'POST',
      body: form({ [name!]: text! }, { chunkSize: '45', chunkOverlap: '0' }),
    })
    assert.equal(answer.status, 202)
    ids.push(((await answer.json()) as { jobId: string }).jobId)
  }
  return ids
}

/** The job once some of its chunks are written, and many are not. */
async function inTheMiddle(url: string, id: string): Promise<{ job: JobAnswer; eventId: string }> {
  const response = await fetch(`${url}/api/v1/jobs/${id}/events`)
  for await (const { id: eventId, data } of readEvents(response)) {
    const job = JSON.parse(data) as JobAnswer
    if (job.chunks.written > 4000) return { job, eventId }
  }
  throw new Error('it ended before its middle was seen')
}

async function endOf(url: string, id: string, seen = ''): Promise<JobAnswer> {
  const headers = seen === '' ? {} : { 'last-event-id': seen }
  const events = await collect(readEvents(await fetch(`${url}/api/v1/jobs/${id}/events`, { headers })))
  return JSON.parse(events.at(-1)!.data) as JobAnswer
}

async function checkEnd(url: string, directory: string, ids: string[], before: string, written: number) {
  const [large, small] = [await endOf(url, ids[0]!, before), await endOf(url, ids[1]!)]
  assert.partialDeepStrictEqual(large, {
    id: ids[0],
    state: 'done',
    result: { numAdded: LINES, numSkipped: 0, numDeleted: 0 },
    chunks: { seen: LINES, written: LINES },
  })
  assert.ok(large.chunks.embedded <= LINES - written, 'what was embedded and written is not embedded again')
  assert.partialDeepStrictEqual(small, { state: 'done', result: { numAdded: 1 } })
  assert.ok(Date.parse(large.finishedAt!) <= Date.parse(small.startedAt!))

  const query = new URLSearchParams({ q: 'otter number 21', topK: '1', mode: 'keyword' })
  const found = await fetch(`${url}/api/v1/vector/query/quickstart?${query}`)
  const { docs } = (await found.json()) as { docs: { pageContent: string }[] }
  assert.match(docs[0]!.pageContent, /Line 3 tells/)
  assert.deepEqual(readdirSync(path.join(directory, 'sluice-data/uploads')), [])
}

test('a job goes on after the server was killed during it, and ends with the right result [upsert:job:restart]', async (t) => {
  const directory = room(t)
  const first = await start(t, ['start'], { directory })
  const ids = await submit(first.url)
  const { job, eventId } = await inTheMiddle(first.url, ids[0]!)
  first.kill('SIGKILL')
  await first.ended

  const second = await start(t, ['start'], { directory })
  await checkEnd(second.url, directory, ids, eventId, job.chunks.written)
  second.kill('SIGTERM')
  assert.equal(await second.ended, 0)
})

test('a job goes on after the server was stopped during it, and ends with the right result [upsert:job:restart]', async (t) => {
  const directory = room(t)
  const first = await start(t, ['start'], { directory })
  const ids = await submit(first.url)
  const { job, eventId } = await inTheMiddle(first.url, ids[0]!)
  // The server has the request before it has the signal: a connection without one is cut off.
  const following = collect(readEvents(await fetch(`${first.url}/api/v1/jobs/${ids[0]}/events`)))
  first.kill('SIGTERM')
  assert.equal(await first.ended, 0)
  const last = (await following).at(-1)
  if (last) assert.match((JSON.parse(last.data) as JobAnswer).state, /queued|running/)

  const second = await start(t, ['start'], { directory })
  await checkEnd(second.url, directory, ids, eventId, job.chunks.written)
  second.kill('SIGTERM')
  assert.equal(await second.ended, 0)
})
