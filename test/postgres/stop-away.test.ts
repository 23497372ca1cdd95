import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { test } from 'node:test'
import { launch, room, start } from '../support/program.ts'
import { ADMIN_KEY, form } from '../support/platform.ts'
import { needs } from '../support/needs.ts'
import { newPostgres } from '../support/postgres.ts'
import { silentProxy } from '../support/silent-proxy.ts'
import { until } from '../support/until.ts'

await needs('PostgreSQL')

const SECRET_KEY = 'the-secret-of-the-test-nodes'

/** Ends with the test, in `seconds` at the latest: a server that hangs fails here, and not the whole file. */
const within = <T>(promise: Promise<T>, seconds: number): Promise<T | 'it hangs'> =>
  Promise.race([
    promise,
    new Promise<'it hangs'>((resolve) => void setTimeout(resolve, seconds * 1000, 'it hangs').unref()),
  ])

test('a server ends after SIGTERM while PostgreSQL is silent, with 1, and says what it could not end [server:drain]', async (t) => {
  const { address, drop } = await newPostgres()
  t.after(drop)
  const proxy = await silentProxy(t, Number(new URL(address).port))
  const server = await start(t, ['start', '--data-dir', 'data'], {
    directory: room(t),
    environment: { DATABASE_URL: proxy.address(address), ADMIN_KEY, SECRET_KEY },
  })
  const headers = { authorization: `Bearer ${ADMIN_KEY}` }
  const api = (path: string, init: RequestInit = {}) =>
    fetch(`${server.url}/api/v1/${path}`, { ...init, headers: { ...headers, ...init.headers } })
  const [{ id: flow }] = (await (await api('chatflows')).json()) as [{ id: string }]
  const lines = Array.from({ length: 40_000 }, (_, n) => `The ferry with the number ${n} leaves.`)
  const sent = await api(`vector/upsert/${flow}?async=true`, {
    method: 'POST',
    body: form({ 'ferries.txt': lines.join('\n') }),
  })
  const { jobId } = (await sent.json()) as { jobId: string }
  const stateOf = async () => ((await (await api(`jobs/${jobId}`)).json()) as { state: string }).state
  await until(async () => (await stateOf()) === 'running')
  proxy.cut()
  // A request that waits for the database.
  void api('chatflows').catch(() => {})
  server.kill('SIGTERM')
  // 8 seconds for requests, 4 for the rest, 2 for the process; on a machine that is busy.
  assert.equal(await within(server.ended, 150), 1)
  const parts = server.log
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { event: string; part?: string })
    .filter(({ event }) => event === 'part-not-finished')
    .map(({ part }) => part)
  assert.ok(parts.includes('jobs'), parts.join())
  assert.match(server.log.join('\n'), /has stopped, and could not end: .*jobs/)
})

test('a server that is told to stop while it waits for PostgreSQL at its start ends [server:drain]', async (t) => {
  // Takes connections, and never answers.
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  t.after(() => silent.close())
  const { port } = silent.address() as { port: number }
  const child = launch(['start', '--data-dir', 'data', '--port', '0'], {
    directory: room(t),
    environment: { DATABASE_URL: `postgres://u:p@127.0.0.1:${port}/d`, ADMIN_KEY, SECRET_KEY },
  })
  t.after(() => child.kill('SIGKILL'))
  const ended = once(child, 'exit').then(([code]) => code as number)
  await once(silent, 'connection')
  child.kill('SIGTERM')
  assert.equal(await within(ended, 150), 1)
})
