import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ADMIN_KEY, form } from '../support/platform.ts'
import { needs } from '../support/needs.ts'
import { newPostgres } from '../support/postgres.ts'
import { room, start } from '../support/program.ts'
import { readyProxy } from '../support/ready-proxy.ts'
import { newBucketUrl } from '../support/s3-server.ts'
import { until } from '../support/until.ts'

await needs('PostgreSQL', 'the S3 server of the tests')

/** How many requests are sent at least; as many as the servers take while they are replaced, if that is more. */
const REQUESTS = Number(process.env.SLUICE_ROLLING_REQUESTS ?? 500)

/** For how long a server that stops takes requests, in seconds. With 0 requests are lost: the test can fail. */
const DRAIN_SECONDS = process.env.SLUICE_ROLLING_DRAIN ?? '5'

/** How many clients send at the same time, and how many of their requests bring a file. */
const CLIENTS = 6
const FILE_EVERY = 50

const { address, drop } = await newPostgres()
after(drop)
const BLOB_URL = await newBucketUrl()
const environment = { DATABASE_URL: address, BLOB_URL, ADMIN_KEY, SECRET_KEY: 'the-secret-of-the-test-nodes' }
const headers = { authorization: `Bearer ${ADMIN_KEY}` }

test('no request is lost while three servers are stopped and replaced, one after the other, behind a proxy that only asks /readyz [server:drain]', async (t) => {
  const home = room(t)
  const servers = 3
  let started = 0
  const startServer = () =>
    start(t, ['start', '--data-dir', `${home}/${started++}`], {
      directory: home,
      environment: { ...environment, DRAIN_SECONDS },
    })
  const running = []
  for (let place = 0; place < servers; place++) running.push(await startServer())
  const proxy = await readyProxy(running.map(({ url }) => url))
  t.after(() => proxy.close())
  await until(() => proxy.ready() === servers)
  const [{ id: flow }] = (await (await fetch(`${proxy.url}/api/v1/chatflows`, { headers })).json()) as [
    { id: string },
  ]
  const upload = (name: string) =>
    fetch(`${proxy.url}/api/v1/vector/upsert/${flow}`, {
      ...{ method: 'POST', headers },
      body: form({ [name]: `Anna Berg signs the contracts of ${name}.` }),
    })
  const query = () =>
    fetch(`${proxy.url}/api/v1/vector/query/${flow}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'who signs the contracts?' }),
    })
  assert.equal((await upload('first.txt')).status, 200)

  let sent = 0
  let files = 1
  let isReplaced = false
  const lost: string[] = []
  async function client(): Promise<void> {
    while (!isReplaced || sent < REQUESTS) {
      const number = sent++
      const hasFile = number % FILE_EVERY === 0
      try {
        const answer = await (hasFile ? upload(`${number}.txt`) : query())
        const body = await answer.text()
        if (answer.status !== 200) lost.push(`${number}: ${answer.status} ${body}`)
        else if (hasFile) files++
      } catch (error) {
        lost.push(`${number}: ${error instanceof Error ? (error.cause ?? error) : error}`)
      }
    }
  }
  const clients = Array.from({ length: CLIENTS }, client)
  try {
    for (let place = 0; place < servers; place++) {
      running[place]!.kill('SIGTERM')
      assert.equal(await running[place]!.ended, 0)
      running[place] = await startServer()
      proxy.replace(place, running[place]!.url)
      await until(() => proxy.ready() === servers, 'the new server')
    }
  } finally {
    // Also where the test has failed: its clients end.
    isReplaced = true
  }
  await Promise.all(clients)
  assert.deepEqual(lost, [], `${lost.length} of ${sent} requests`)
  t.diagnostic(`${sent} requests, ${files} of them with a file, ${lost.length} lost`)
  const sources = (await (
    await fetch(`${proxy.url}/api/v1/vector/sources/${flow}?limit=1`, { headers })
  ).json()) as { total: number }
  assert.equal(sources.total, files)
})
