import assert from 'node:assert/strict'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import type { DraftStateAnswer } from '../../src/api/flow-draft.ts'
import type { FlowAnswer } from '../../src/api/flow.ts'
import { drawFlow } from '../support/flow-drawing.ts'
import { lacking } from '../support/needs.ts'
import { emptyPostgres } from '../support/postgres.ts'
import { room, start } from '../support/program.ts'

type Server = Awaited<ReturnType<typeof start>>

const KEY = 'the-management-key-of-the-crash'
/** Kills so many milliseconds after the publication was sent: before, within or after the transaction. */
const KILLS = [0, 3, 8, 20]

async function send<Body>({ url }: Server, method: string, address: string, body?: object) {
  const response = await fetch(`${url}/api/v1/chatflows${address}`, {
    method,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Body }
}

/** A draft is either there, and the flow as it was, or it is live: never both, never neither. */
async function killWithinPublications(t: TestContext, environment: Record<string, string>): Promise<void> {
  const directory = room(t)
  const given = { directory, environment: { ADMIN_KEY: KEY, ...environment } }
  const open = () => start(t, ['start', '--data-dir', path.join(directory, 'data')], given)
  let server = await open()
  const { body: made } = await send<FlowAnswer>(server, 'POST', '', drawFlow({ slug: 'killed' }))
  let live = made
  for (const [round, after] of KILLS.entries()) {
    const flowData = JSON.stringify({ ...JSON.parse(live.flowData), round })
    const { status } = await send(server, 'PUT', `/${made.id}/draft`, { flowData })
    assert.equal(status, 200)
    const answered = send<FlowAnswer>(server, 'POST', `/${made.id}/draft/publish`).then(
      (answer) => answer.status === 200,
      () => false,
    )
    await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, after))])
    server.kill('SIGKILL')
    await server.ended
    const wasAnswered = await answered
    server = await open()
    const { body: state } = await send<DraftStateAnswer>(server, 'GET', `/${made.id}/draft`)
    const { body: now } = await send<FlowAnswer>(server, 'GET', `/${made.id}`)
    if (state.draft) {
      assert.equal(wasAnswered, false, 'a publication that was answered holds')
      assert.deepEqual([now.flowData, now.revision], [live.flowData, live.revision])
      assert.deepEqual([state.draft.flowData, state.draft.stale], [flowData, false])
    } else assert.deepEqual([now.flowData, now.revision], [flowData, live.revision + 1])
    live = now
  }
  server.kill('SIGTERM')
  await server.ended
}

test('a server that is killed within a publication leaves the draft or the new revision, whole [drafts:crash]', (t) =>
  killWithinPublications(t, {}))

test('a server over PostgreSQL that is killed within a publication leaves the draft or the new revision, whole [drafts:crash]', {
  skip: lacking('PostgreSQL'),
}, async (t) => {
  const DATABASE_URL = await emptyPostgres(t)
  await killWithinPublications(t, { DATABASE_URL, SECRET_KEY: 'the-secret-of-the-crash' })
})
