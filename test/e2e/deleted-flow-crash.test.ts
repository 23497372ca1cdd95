import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import type { StatsAnswer } from '../../src/api/stats.ts'
import type { DeletedFlowAnswer } from '../../src/api/flow-summary.ts'
import { RESTORABLE_MS } from '../../src/contract/flow-store.ts'
import { verifyDirectory } from '../../src/db/sqlite/verify.ts'
import { form } from '../support/platform.ts'
import { room, start } from '../support/program.ts'
import { drawFlow } from '../support/flow-drawing.ts'
import { until } from '../support/until.ts'

type Server = Awaited<ReturnType<typeof start>>

const document = (lines: number) =>
  Array.from({ length: lines }, (_, line) => `Otters of line ${line} sleep.`).join('\n')
/** An upsert of it is under way for long. */
const LONG = document(10_000)

const KEY = 'the-management-key-of-the-crash'

async function send<Body>({ url }: Server, method: string, address: string, body?: object | FormData) {
  const json = body !== undefined && !(body instanceof FormData)
  const response = await fetch(url + address, {
    method,
    headers: { authorization: `Bearer ${KEY}`, ...(json ? { 'content-type': 'application/json' } : {}) },
    ...(body === undefined ? {} : { body: json ? JSON.stringify(body) : (body as FormData) }),
  })
  return { status: response.status, body: (await response.json()) as Body }
}

const make = async (server: Server, slug: string) =>
  (await send<{ id: string }>(server, 'POST', '/api/v1/chatflows', drawFlow({ slug }))).body.id
const load = (server: Server, id: string, text: string, query = '') =>
  send(server, 'POST', `/api/v1/vector/upsert/${id}${query}`, form({ 'a.txt': text }))
const foundIn = async (server: Server, id: string) => {
  const { status, body } = await send<{ docs?: object[] }>(server, 'POST', `/api/v1/vector/query/${id}`, {
    query: 'otters',
  })
  return body.docs?.length ?? status
}
const deleted = async (server: Server) =>
  (await send<DeletedFlowAnswer[]>(server, 'GET', '/api/v1/flows/deleted')).body

async function kill(server: Server): Promise<void> {
  server.kill('SIGKILL')
  await server.ended
}

async function assertSound(directory: string): Promise<void> {
  for (const { check, findings } of await verifyDirectory(directory))
    if (check !== 'uploads') assert.deepEqual(findings, [], check)
}

async function begin(t: TestContext) {
  const directory = room(t)
  const data = path.join(directory, 'data')
  const open = () => start(t, ['start', '--data-dir', data], { directory, environment: { ADMIN_KEY: KEY } })
  return { data, open }
}

test('a flow that is deleted while its upsert runs is whole after a kill -9, deleted or not, and can be restored [flows:undo]', async (t) => {
  const { data, open } = await begin(t)
  let server = await open()
  for (let round = 0; round < 4; round++) {
    const id = await make(server, `round-${round}`)
    await load(server, id, 'Otters sleep hand in hand.')
    await load(server, id, LONG, '?async=true')
    // The kill comes before, within or after the transaction of the deletion.
    const answered = send(server, 'DELETE', `/api/v1/chatflows/${id}`).catch(() => undefined)
    if (round % 2 === 0) await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, round))])
    else await answered
    await kill(server)
    await assertSound(data)
    server = await open()
    const isDeleted = (await deleted(server)).some((flow) => flow.id === id)
    if (round % 2 === 1) assert.ok(isDeleted, 'a deletion that was answered holds')
    if (isDeleted) {
      assert.equal(await foundIn(server, id), 404)
      assert.equal((await send(server, 'POST', `/api/v1/chatflows/${id}/restore`, {})).status, 200)
    }
    assert.notEqual(await foundIn(server, id), 0)
    await send(server, 'DELETE', `/api/v1/chatflows/${id}?now=true`)
  }
  await kill(server)
})

test('deleted flows survive a kill -9, and are removed for good at the first start after thirty days [flows:undo]', async (t) => {
  const { data, open } = await begin(t)
  let server = await open()
  const [old, young] = [await make(server, 'old'), await make(server, 'young')]
  for (const id of [old, young]) {
    await load(server, id, 'Otters sleep hand in hand.')
    await send(server, 'DELETE', `/api/v1/chatflows/${id}`)
  }
  await kill(server)
  server = await open()
  assert.equal((await deleted(server)).length, 2)
  server.kill('SIGTERM')
  await server.ended
  const database = new DatabaseSync(path.join(data, 'sluice.db'))
  database.prepare('UPDATE flows SET deleted_at = ? WHERE id = ?').run(Date.now() - RESTORABLE_MS - 1000, old)
  database.close()
  server = await open()
  await until(async () => (await deleted(server)).length === 1, 'the removal for good')
  assert.deepEqual(
    (await deleted(server)).map(({ id }) => id),
    [young],
  )
  assert.equal((await send(server, 'POST', `/api/v1/chatflows/${young}/restore`, {})).status, 200)
  assert.equal(await foundIn(server, young), 1)
  await kill(server)
  await assertSound(data)
})

test('what a cancelled upsert and a flow removed for good leave is swept after a kill -9, and verify counts it [jobs:swept, jobs:invisible, flows:removed-for-good]', async (t) => {
  const { data, open } = await begin(t)
  let server = await open()
  const stays = await make(server, 'stays')
  await load(server, stays, 'Otters sleep hand in hand.')
  const gone = await make(server, 'gone')
  await load(server, gone, document(5000))
  const { body: job } = await send<{ jobId: string }>(
    server,
    'POST',
    `/api/v1/vector/upsert/${stays}?async=true`,
    form({ 'b.txt': LONG }),
  )
  const written = async () =>
    (await send<{ chunks: { written: number } }>(server, 'GET', `/api/v1/jobs/${job.jobId}`)).body.chunks
      .written
  await until(async () => (await written()) > 0, 'staged chunks')
  assert.equal((await send(server, 'POST', `/api/v1/jobs/${job.jobId}/cancel`)).status, 200)
  assert.equal((await send(server, 'DELETE', `/api/v1/chatflows/${gone}?now=true`)).status, 200)
  await kill(server)

  const left = (await verifyDirectory(data)).find(({ check }) => check === 'invisible')!
  assert.ok(left.looked > 0)
  assert.match(left.note ?? '', /^0 can be restored; \d+ are deleted within a minute/)
  assert.equal(Number(/(\d+) are/.exec(left.note!)![1]), left.looked)
  server = await open()
  await until(async () => {
    const { body } = await send<StatsAnswer>(server, 'GET', '/api/v1/stats')
    return body.invisible.unswept === 0
  }, 'the sweep')
  assert.equal(await foundIn(server, stays), 1)
  assert.equal((await send(server, 'POST', `/api/v1/chatflows/${gone}/restore`, {})).status, 404)
  await kill(server)
  await assertSound(data)
  const database = new DatabaseSync(path.join(data, 'sluice.db'))
  for (const table of ['chunks', 'passages'])
    assert.deepEqual({ ...database.prepare(`SELECT count(*) AS n FROM ${table}`).get() }, { n: 1 }, table)
  database.close()
})
