import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { startChatServer } from '../support/chat-server.ts'
import { answerChecker, type Description, type Operation } from '../support/described.ts'
import { errorsOf, judge } from '../support/http-fuzz/judge.ts'
import { pick } from '../support/http-fuzz/odd.ts'
import { bySchema, type FuzzRequest, mutated, written } from '../support/http-fuzz/requests.ts'
import { Tally } from '../support/http-fuzz/tally.ts'
import { makeWorld, type Send } from '../support/http-fuzz/world.ts'
import { ADMIN_KEY, type Answer } from '../support/platform.ts'
import { room, start } from '../support/program.ts'
import { randomBelow } from '../support/random.ts'

/**
 * Requests to a server process, from its own description: valid ones and spoiled ones, to every operation. A round has a
 * server of its own and is repeated by its seed: `FUZZ_SEED=7`. `FUZZ_SECONDS=600` goes on with further rounds.
 */
const FIRST_SEED = Number(process.env.FUZZ_SEED ?? 20_261_122)
const SECONDS = Number(process.env.FUZZ_SECONDS ?? 0)
/** Requests of a round besides one valid one for each operation. */
const REQUESTS = 400
/** After so long an answer counts as missing. */
const NO_ANSWER = 60_000

/** Operations that refuse valid requests too: there are no sessions, no such link or model, and no separate engine. */
const REFUSED_BY_DESIGN = [
  'GET /api/v1/mcp/:flowId',
  'DELETE /api/v1/mcp/:flowId',
  'GET /api/v1/get-upload-file',
  // No file of the example is kept.
  'POST /api/v1/vector/failed/:flowId/retry',
  'POST /api/v1/node-load-method/:name',
  // The built-in store commits with the database: there is nothing to compare.
  'POST /api/v1/vector/repair/:flowId',
  // A flow has no draft before somebody saves one.
  'POST /api/v1/chatflows/:id/draft/publish',
  // The ids of loaders, chunks and edits are made by the server.
  'DELETE /api/v1/document-store/loader/:id/:loaderId',
  'PUT /api/v1/document-store/chunks/:flowId/:loaderId/:chunkId',
  'DELETE /api/v1/document-store/chunks/:flowId/:loaderId/:chunkId',
  'DELETE /api/v1/document-store/edits/:flowId/:editId',
]

const model = await startChatServer()
after(() => model.close())
model.otherwise = { text: 'Four weeks.' }

const tally = new Tally()

async function round(t: TestContext, seed: number): Promise<void> {
  const server = await start(t, ['start'], {
    directory: room(t),
    environment: { ADMIN_KEY },
  })
  const below = randomBelow(seed)
  const description = (await (await fetch(`${server.url}/openapi.json`)).json()) as Description
  const check = answerChecker(description)
  const problems: string[] = []

  const send: Send = async (route, request) => {
    const answer = await answerTo(server.url, request).catch((error: unknown) => {
      throw new Error(`${shown(request)}\n  ${server.log.slice(-5).join('\n  ')}`, { cause: error })
    })
    tally.add(route, answer.status)
    try {
      judge(answer)
      const { status, headers, body } = answer
      check({ ...request, status, contentType: headers.get('content-type'), body })
    } catch (error) {
      problems.push(
        `${route}: ${(error as Error).message}\n  ${shown(request)}\n  ${answer.text.slice(0, 500)}`,
      )
    }
    return answer
  }

  const operations = new Map<string, Operation>(
    Object.entries(description.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [
        `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
        operation,
      ]),
    ),
  )
  const routes = [...operations.keys()]
  const world = await makeWorld(send, model.url, below)

  for (const route of routes) {
    const { status, text } = await send(route, written(await world.valid(route), below, false))
    const refused = REFUSED_BY_DESIGN.includes(route)
    if (refused !== status >= 300) problems.push(`${route}: a valid request is answered ${status} ${text}`)
  }
  for (let count = 0; count < REQUESTS; count++) {
    const route = pick(below, routes)
    const example = await (below(4) === 0 ? world.valid(route) : world.again(route))
    const draft = below(2) === 0 ? { ...example } : bySchema(example, operations.get(route)!, below)
    const spoil = below(4) > 0
    await send(route, written(spoil ? mutated(draft, below) : draft, below, spoil))
  }

  assert.deepEqual(problems, [])
  const ready = await fetch(`${server.url}/readyz`)
  assert.equal(ready.status, 200, await ready.text())
  server.kill('SIGTERM')
  assert.equal(await server.ended, 0)
  assert.deepEqual(errorsOf(server.log), [])
}

async function answerTo(url: string, { method, path, headers, body }: FuzzRequest): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${ADMIN_KEY}`, ...headers },
    ...(body === undefined ? {} : { body }),
    signal: AbortSignal.timeout(NO_ANSWER),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== ''
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? (JSON.parse(text) as unknown) : undefined,
  }
}

const shown = ({ method, path, headers, body }: FuzzRequest) =>
  `${method} ${path.slice(0, 500)} ${JSON.stringify(headers)} ${typeof body === 'string' ? body.slice(0, 1000) : (body?.constructor.name ?? '')}`

test('a server answers valid and invalid requests to every operation as described, without an internal failure [server:fuzz]', async (t) => {
  const end = performance.now() + SECONDS * 1000
  let seed = FIRST_SEED
  do await t.test(`the round of the seed ${seed}`, (t) => round(t, seed))
  while (seed++ >= 0 && performance.now() < end)
  for (const line of tally.lines()) t.diagnostic(line)
})
