import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { Ajv, type ValidateFunction } from 'ajv'
import { parse } from 'yaml'
import { buildEventApp } from '../../src/events/app.ts'
import { EventStore } from '../../src/events/store.ts'

type Response = { $ref?: string; content?: { 'application/json': { schema: object } } }
type Operation = { operationId: string; responses: Record<string, Response> }
type Description = {
  openapi: string
  info: { version: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object>; responses: Record<string, Response> }
}

const METHODS = ['get', 'post', 'patch', 'delete', 'put', 'options', 'head']

const description = parse(
  readFileSync(new URL('../../src/events/openapi.yaml', import.meta.url), 'utf8'),
) as Description

const ajv = new Ajv({ strict: false, allErrors: true }).addSchema(description, 'events')

/** The description of one operation: a check of the body per status, `null` where there is none. */
type Described = { method: string; path: string; checks: Map<number, ValidateFunction | null> }

const operations = new Map<string, Described>(
  Object.entries(description.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, { operationId, responses }]): [string, Described] => {
        const checks = new Map(
          Object.keys(responses).map((status) => [
            Number(status),
            checkOf(path, method, status, responses[status]!),
          ]),
        )
        return [operationId, { method: method.toUpperCase(), path, checks }]
      }),
  ),
)

function checkOf(path: string, method: string, status: string, response: Response): ValidateFunction | null {
  const pointer = response.$ref?.slice(1) ?? `/paths/${escaped(path)}/${method}/responses/${status}`
  const resolved = response.$ref
    ? description.components.responses[response.$ref.split('/').at(-1)!]!
    : response
  return resolved.content ? ajv.getSchema(`events#${pointer}/content/application~1json/schema`)! : null
}

function escaped(key: string): string {
  return encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))
}

type Sent = { path?: string; body?: string; type?: string; broken?: true }

const choir = JSON.stringify({ name: 'Choir', date: '2025-01-01T10:00:00Z', location: 'Bern' })
const large = JSON.stringify({ name: 'x'.repeat(120_000) })

/** One request for every answer that the description promises. */
const WALK: Record<string, Record<number, Sent>> = {
  listEvents: { 200: {}, 500: { broken: true } },
  createEvent: {
    201: { body: choir },
    400: { body: '{}' },
    413: { body: large },
    500: { body: choir, broken: true },
  },
  getEventById: { 200: {}, 404: { path: '/events/9' }, 500: { broken: true } },
  updateEventDetails: {
    200: { body: choir },
    400: { body: '{"name":7}' },
    404: { path: '/events/9', body: choir },
    413: { body: large },
    500: { body: choir, broken: true },
  },
  deleteEvent: {
    204: {},
    400: { body: '{' },
    404: { path: '/events/9' },
    413: { body: large },
    500: { broken: true },
  },
}

test('openapi.yaml is OpenAPI 3.0.0, version 1.0.0, with the five operations and three schemas [events:openapi]', () => {
  assert.equal(description.openapi, '3.0.0')
  assert.equal(description.info.version, '1.0.0')
  assert.deepEqual(
    [...operations].map(([id, { method, path }]) => `${id} ${method} ${path}`),
    [
      'listEvents GET /events',
      'createEvent POST /events',
      'getEventById GET /events/{id}',
      'updateEventDetails PATCH /events/{id}',
      'deleteEvent DELETE /events/{id}',
    ],
  )
  for (const name of ['Event', 'EventInput', 'Error']) assert.ok(name in description.components.schemas, name)
})

test('the running service gives every documented answer as it is documented [events:openapi]', async (t) => {
  for (const [id, { path, checks }] of operations) {
    assert.deepEqual(
      Object.keys(WALK[id]!).map(Number),
      [...checks.keys()],
      `${id}: the walk covers every answer`,
    )
    for (const [status, sent] of Object.entries(WALK[id]!)) {
      const url = await start(t, sent.broken ? brokenStore() : new EventStore())
      const answered = await call(url, id, {
        path: path.replace('{id}', '1'),
        type: 'application/json',
        ...sent,
      })
      assert.equal(answered, Number(status), id)
    }
  }
})

test('no request out of some hundred gets an answer that is not documented [events:openapi]', async (t) => {
  const url = await start(t, new EventStore())
  const random = randomOf(20250101)
  const pick = <T>(values: readonly T[]): T => values[random(values.length)]!
  const value = () =>
    pick([
      undefined,
      null,
      0,
      7,
      1e30,
      '',
      'text',
      'ü\u0000\ud800',
      true,
      [],
      {},
      '2025-01-01T10:00:00.5Z',
      choir,
    ])
  const body = () =>
    pick([
      undefined,
      '',
      '{',
      'null',
      '[1]',
      '"text"',
      choir,
      large,
      '{"__proto__":{"name":"x"},"constructor":1}',
      JSON.stringify({ id: value(), name: value(), date: value(), location: value() }),
      JSON.stringify({ id: value(), ...JSON.parse(choir) }),
      JSON.stringify({ ...JSON.parse(choir), [pick(['name', 'date', 'location'])]: value() }),
    ])
  const type = () =>
    pick([
      'application/json',
      'application/json; charset=utf-16',
      'text/plain',
      'multipart/form-data',
      '?',
      undefined,
    ])
  const eventId = () =>
    pick([
      '1',
      '2',
      '3',
      '9',
      '0',
      'text',
      '__proto__',
      '..%2F',
      '%20',
      '%00',
      '7',
      'x'.repeat(3000),
      'a;b',
      '*',
      ':id',
    ])
  const suffix = () => pick(['', '/', '?limit=3', '?', '?%zz=%', '/?a[]=1&a=2'])

  const statuses = new Set<string>()
  for (let index = 0; index < 600; index++) {
    const id = pick([...operations.keys()])
    const { method, path } = operations.get(id)!
    const sent: Sent = { path: path.replace('{id}', eventId()) + suffix() }
    const content = method === 'GET' ? undefined : body()
    const contentType = type()
    if (content !== undefined) sent.body = content
    if (contentType !== undefined) sent.type = contentType
    statuses.add(`${id} ${await call(url, id, sent)}`)
  }
  const reachable = Object.entries(WALK).flatMap(([id, answers]) =>
    Object.keys(answers)
      .filter((status) => status !== '500')
      .map((status) => `${id} ${status}`),
  )
  assert.deepEqual([...statuses].sort(), reachable.sort())
})

/** Sends one request and holds its answer against the description; gives the status. */
async function call(url: string, id: string, { path, body, type }: Sent): Promise<number> {
  const { method, checks } = operations.get(id)!
  const response = await fetch(url + path, {
    method,
    headers: type === undefined ? {} : { 'content-type': type },
    ...(body === undefined ? {} : { body: Buffer.from(body) }),
  })
  const text = await response.text()
  const said = `${method} ${path} with ${type} ${body?.slice(0, 200)} answered ${response.status} ${text.slice(0, 300)}`
  const check = checks.get(response.status)
  if (check === undefined) assert.fail(`not documented: ${said}`)
  if (check === null) {
    assert.equal(text, '', said)
  } else {
    assert.match(response.headers.get('content-type')!, /^application\/json(;|$)/, said)
    assert.ok(check(JSON.parse(text)), `${ajv.errorsText(check.errors)}: ${said}`)
  }
  return response.status
}

/** A store with functions that all fail, as a programming error would. */
function brokenStore(): EventStore {
  const fail = (): never => {
    throw new Error('broken on purpose')
  }
  return Object.assign(new EventStore(), {
    list: fail,
    find: fail,
    append: fail,
    replace: fail,
    remove: fail,
  })
}

async function start(t: TestContext, store: EventStore): Promise<string> {
  const app = buildEventApp({ store })
  t.after(() => app.close())
  return app.listen({ host: '127.0.0.1', port: 0 })
}

/** The same numbers in every run (Lehmer's generator), so that a finding can be found again. */
function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 48271) % 2147483647
    return state % below
  }
}
