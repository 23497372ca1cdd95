import assert from 'node:assert/strict'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { Connection } from '../../src/db/sqlite/connection.ts'
import { serve } from './command-line.ts'
import { room } from './program.ts'
import { HERE } from './program-here.ts'
import { KEPT_TEXTS, type KeptFacts, unpackOld } from './rescue-schemas.ts'

const ADMIN_KEY = 'the management key of the rescued'

/** A kept data directory, unpacked, and the paths of what comes out of it. Commands run in the process of the test unless given. */
export function old(t: TestContext, schema: number, { run, start } = HERE) {
  const directory = room(t)
  const at = (name: string) => path.join(directory, name)
  const facts = unpackOld(schema, at('old'))
  return {
    directory,
    facts,
    data: at('old'),
    database: path.join(at('old'), 'sluice.db'),
    file: at('rescued.sluice'),
    rescue: (more: string[] = [], environment: Record<string, string> = {}) =>
      run(['rescue', 'old', 'rescued.sluice', ...more], { directory, environment }),
    /** Restores the file and starts a server on it. */
    async served(environment: Record<string, string> = {}) {
      const restored = await run(['restore', 'rescued.sluice', '--data-dir', 'new'], { directory })
      assert.equal(restored.code, 0, restored.stderr)
      const server = await start(t, ['start', '--data-dir', 'new'], {
        directory,
        environment: { ADMIN_KEY, ...environment },
      })
      return api(server.url)
    },
  }
}

function api(url: string) {
  return async (method: string, route: string, body?: object, key: string | null = ADMIN_KEY) => {
    const answer = await fetch(`${url}/api/v1/${route}`, {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return { status: answer.status, body: JSON.parse(await answer.text()) }
  }
}

type Api = ReturnType<typeof api>

/** Changes an old database, as the server of it would have. */
export function change(database: string, work: (connection: Connection) => void): void {
  const connection = new Connection(database)
  connection.exec('PRAGMA journal_mode = WAL')
  work(connection)
  connection.close()
}

/** The authorization that a provider gets from the stored credential. */
export async function authorizationOf(t: TestContext, call: Api, { credentialId }: KeptFacts) {
  let sent: string | undefined
  const address = await serve(t, (request, response) => {
    sent = request.headers.authorization
    response.setHeader('content-type', 'application/json').end('{"data":[]}')
  })
  const { body } = await call('POST', `credentials/${credentialId}/test`, { address: `${address}/v1` })
  return { isOk: body.ok, sent }
}

export async function isWhole(t: TestContext, call: Api, facts: KeptFacts): Promise<void> {
  const { flowId, apiKey } = facts
  const flows = await call('GET', 'chatflows')
  const slugs = flows.body.map(({ slug }: { slug: string }) => slug).sort()
  assert.deepEqual(slugs, ['model', 'quickstart', 'reply'])
  const model = flows.body.find(({ slug }: { slug: string }) => slug === 'model')
  assert.match(model.flowData, new RegExp(facts.credentialId))

  const question = { question: 'And now?' }
  const refused = await call('POST', `prediction/${flowId}`, question, null)
  assert.equal(refused.status, 401)
  const asked = await call('POST', `prediction/${flowId}`, question, apiKey)
  assert.equal(asked.body.text, KEPT_TEXTS.answer)

  assert.deepEqual(await authorizationOf(t, call, facts), {
    isOk: true,
    sent: `Bearer ${KEPT_TEXTS.credential}`,
  })
  const variables = await call('GET', 'variables')
  assert.deepEqual(
    variables.body.map(({ name, value }: { name: string; value: string }) => [name, value]),
    [['master', KEPT_TEXTS.variable]],
  )
  const chat = await call('GET', `chatmessage/${flowId}?sessionId=kept`)
  assert.deepEqual(
    chat.body.map(({ role, content }: { role: string; content: string }) => [role, content]),
    [
      ['userMessage', KEPT_TEXTS.question],
      ['apiMessage', KEPT_TEXTS.answer],
    ],
  )
  const feedback = await call('GET', `feedback/${flowId}`)
  assert.deepEqual(
    feedback.body.map(({ content }: { content: string }) => content),
    ['quick'],
  )
  const leads = await call('GET', `leads/${flowId}`)
  assert.deepEqual(
    leads.body.map(({ email }: { email: string }) => email),
    ['ann@example.org'],
  )
}
