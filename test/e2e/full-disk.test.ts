import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type TestContext, test } from 'node:test'
import { room, run, start } from '../support/program.ts'
import { cannotMount, smallDisk } from '../support/small-disk.ts'

const skip = cannotMount()
const MEGABYTE = 2 ** 20

type Body = { code: string; hint: string; docs: { metadata: { source: string } }[] }

function client(url: string) {
  const answer = async (response: Response) => ({
    status: response.status,
    body: (await response.json()) as Body,
  })
  return {
    ready: () => fetch(`${url}/readyz`).then(answer),
    query: (question: string) =>
      fetch(`${url}/api/v1/vector/query/quickstart?q=${encodeURIComponent(question)}`).then(answer),
    upload(name: string, text: string) {
      const body = new FormData()
      body.append('files', new File([text], name))
      return fetch(`${url}/api/v1/vector/upsert/quickstart`, { method: 'POST', body }).then(answer)
    },
    async untilReady() {
      while ((await fetch(`${url}/readyz`)).status !== 200) await sleep(50)
    },
  }
}

/** Different words for every line, so that nothing of it is known yet. */
function longText(bytes: number): string {
  const lines: string[] = []
  for (let size = 0, n = 0; size < bytes; n++) {
    const line = `Record ${n} of the harbour: berth ${(n * 7919) % 10_007}, cargo ${(n * 104_729) % 1_000_003}, mate ${n % 97}.`
    lines.push(line)
    size += line.length + 1
  }
  return lines.join('\n')
}

const uploadsIn = (data: string) =>
  existsSync(path.join(data, 'uploads')) ? readdirSync(path.join(data, 'uploads')) : []

async function onSmallDisk(t: TestContext, megabytes: number, environment: Record<string, string>) {
  const directory = room(t)
  const disk = smallDisk(t, directory, megabytes)
  const data = path.join(disk.at, 'data')
  const launch = () => start(t, ['start', '--data-dir', data], { directory, environment })
  const manage = (
    await run(['key', 'new', 'ops', '--scope', 'manage', '--data-dir', data], { directory })
  ).stdout.trim()
  return { disk, data, launch, manage }
}

test('a server stops taking things in before the last bytes of its disk, and goes on without a restart when there is room [server:disk-full]', {
  skip,
}, async (t) => {
  const { disk, data, launch } = await onSmallDisk(t, 64, { MIN_FREE_MB: '16' })
  const { url, ended, kill } = await launch()
  const { ready, query, upload, untilReady } = client(url)
  assert.equal((await upload('ferry.txt', 'The ferry leaves at noon.')).status, 200)
  assert.equal((await ready()).status, 200)

  disk.fill(15 * MEGABYTE)
  while ((await ready()).status !== 503) await sleep(20)
  const refused = await upload('tide.txt', 'High water is at four.')
  assert.deepEqual([refused.status, refused.body.code], [507, 'storage_full'])
  assert.match(refused.body.hint, /free some space .* MIN_FREE_MB keeps 16 MB free; no restart is needed/)
  const readiness = await ready()
  assert.deepEqual([readiness.status, readiness.body.code], [503, 'read_only'])
  assert.equal((await query('ferry')).body.docs[0]!.metadata.source, 'ferry.txt')
  assert.deepEqual(uploadsIn(data), [])

  disk.clear()
  await untilReady()
  assert.equal((await upload('tide.txt', 'High water is at four.')).status, 200)
  kill('SIGTERM')
  assert.equal(await ended, 0)
})

test('a run that meets the end of the disk fails with 507, leaves nothing, and disturbs no reader [server:disk-full]', {
  skip,
}, async (t) => {
  const { disk, data, launch, manage } = await onSmallDisk(t, 64, { MIN_FREE_MB: '0' })
  const { url, ended, kill } = await launch()
  const api = client(url)
  assert.equal((await api.upload('ferry.txt', 'The ferry leaves at noon.')).status, 200)
  disk.fill(8 * MEGABYTE)
  const failed = await api.upload('long.txt', longText(5 * MEGABYTE))
  assert.deepEqual([failed.status, failed.body.code], [507, 'storage_full'], JSON.stringify(failed.body))
  assert.equal((await api.query('ferry')).body.docs[0]!.metadata.source, 'ferry.txt')

  // Everything goes that was staged, and the upload with it.
  assert.deepEqual(uploadsIn(data), [])
  while (disk.free() < 6 * MEGABYTE) await sleep(50)
  const list = await fetch(`${url}/api/v1/jobs`, { headers: { authorization: `Bearer ${manage}` } })
  const [job] = ((await list.json()) as { data: { id: string; state: string; error: Body }[] }).data
  assert.deepEqual([job!.state, job!.error.code], ['failed', 'storage_full'])
  disk.clear()
  await api.untilReady()
  const again = await fetch(`${url}/api/v1/jobs/${job!.id}/retry`, {
    method: 'POST',
    headers: { authorization: `Bearer ${manage}` },
  })
  assert.equal(((await again.json()) as Body).code, 'job_expired')
  assert.equal((await api.upload('long.txt', longText(MEGABYTE))).status, 200)
  kill('SIGTERM')
  assert.equal(await ended, 0)
})

test('a server starts on a disk without one free byte, answers, reports the full disk, and takes documents once there is room [server:disk-full]', {
  skip,
}, async (t) => {
  const { disk, launch } = await onSmallDisk(t, 64, { MIN_FREE_MB: '16' })
  const first = await launch()
  assert.equal((await client(first.url).upload('ferry.txt', 'The ferry leaves at noon.')).status, 200)
  first.kill('SIGTERM')
  assert.equal(await first.ended, 0)

  disk.fill(0)
  assert.equal(disk.free(), 0)
  const { url, log, ended, kill } = await launch()
  const api = client(url)
  assert.match(log.join('\n'), /"disk-full"/)
  assert.deepEqual([(await api.ready()).status, (await api.ready()).body.code], [503, 'read_only'])
  assert.equal((await api.query('ferry')).body.docs[0]!.metadata.source, 'ferry.txt')
  assert.equal((await api.upload('tide.txt', 'High water is at four.')).status, 507)
  disk.clear()
  await api.untilReady()
  assert.equal((await api.upload('tide.txt', 'High water is at four.')).status, 200)
  kill('SIGTERM')
  assert.equal(await ended, 0)
})
