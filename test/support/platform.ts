import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { Connection } from '../../src/db/sqlite/connection.ts'
import { readConfig } from '../../src/kit/config.ts'
import type { OpenEgress } from '../../src/kit/egress/client.ts'
import type { Log, LogFacts } from '../../src/kit/log.ts'
import { startPlatform } from '../../src/main.ts'
import type { Retrieved } from '../../src/retrieve/answer.ts'
import type { UpsertResult } from '../../src/upsert/outcome.ts'
import { answerChecker, type Description } from './described.ts'
import { drawFlow, type Drawing } from './flow-drawing.ts'
import { LOOPBACK } from './loopback.ts'
import { needs } from './needs.ts'
import { newPreparedPostgres, postgresRows } from './postgres.ts'
import { roundRobin } from './round-robin.ts'
import { newBucketUrl } from './s3-server.ts'

// The servers of such a run share a database and a bucket.
if (process.env.SLUICE_TEST_DATABASE === 'postgres') await needs('PostgreSQL', 'the S3 server of the tests')

export const ADMIN_KEY = 'the-management-key-of-the-tests'

export type Call = {
  method?: string
  headers?: Record<string, string>
  /** An object becomes JSON; a form, text and bytes go as they are. */
  body?: object | string | Uint8Array<ArrayBuffer> | FormData
  /** The API key; calls of the management take the one of the tests by themselves. */
  key?: string
}

/** `body` is the parsed JSON of the answer; the test gives its type and checks it. */
export type Answer<Body = unknown> = { status: number; headers: Headers; text: string; body: Body }

type Id = { id: string }

export type LogLine = { level: string; event: string; facts: LogFacts }

export type TestPlatform = {
  url: string
  dataDirectory: string
  log: readonly LogLine[]
  call<Body = unknown>(method: string, path: string, call?: Omit<Call, 'method'>): Promise<Answer<Body>>
  /** The same with the management key. */
  manage<Body = unknown>(method: string, path: string, body?: object): Promise<Answer<Body>>
  /** Stores a flow and answers its id. */
  flow(drawing: Drawing): Promise<string>
  /** Makes an API key and answers its id and its text. */
  key(rights?: { scopes?: string[]; flows?: string[] }): Promise<{ id: string; apiKey: string }>
  upload(
    flow: string,
    files: Record<string, string | Uint8Array<ArrayBuffer>>,
    fields?: Record<string, string>,
  ): Promise<Answer<UpsertResult>>
  /** Asks a flow with the management key. */
  query(flow: string, body: object): Promise<Answer<{ docs: Retrieved[] }>>
  /** Runs a statement on the database, with `?` for its values: what only time would do. */
  sql<Row extends object>(statement: string, ...values: (string | number)[]): Promise<Row[]>
  /** The files in the folder of waiting uploads. */
  uploads(): string[]
  close(): Promise<void>
}

/** What answers are held against: the description of the first platform of the process, which that of all others is. */
let checking: Promise<ReturnType<typeof answerChecker>> | undefined

/**
 * Starts the real platform on a free port, over a data directory that is gone afterwards; both end with the file's tests. Tests of
 * one process, of its connections, its data directory or its figures, take `servers: 1`; those of the
 * file of the embedded database take `embedded: true`. `openEgress` makes the client of outgoing calls of each server.
 * A test file awaits all that it needs before its first test: tests that are over while the file still waits would end both.
 */
export async function makePlatform(
  settings: Record<string, string> = {},
  {
    servers = SERVERS,
    embedded = false,
    openEgress,
  }: { servers?: number; embedded?: boolean; openEgress?: OpenEgress } = {},
): Promise<TestPlatform> {
  const dataDirectory = mkdtempSync(path.join(tmpdir(), 'sluice-api-'))
  const { log, lines } = remembering()
  const start = (directory: string, more: Record<string, string> = {}) => {
    const EGRESS_ALLOW = LOOPBACK.join(',')
    const flags = { PORT: '0', DATA_DIR: directory, ADMIN_KEY, EGRESS_ALLOW, WRONG_KEYS_PER_MINUTE: '100000' }
    return startPlatform(
      readConfig({ flags: { ...flags, ...more, ...settings }, environment: {}, directory }),
      log,
      openEgress,
    )
  }
  const shared = embedded ? undefined : await onCluster(dataDirectory, start, servers)
  const service: Service = shared ?? (await start(dataDirectory))
  const url = service.url.replace('0.0.0.0', '127.0.0.1')
  checking ??= send<Description>(url, 'GET', '/openapi.json').then(({ body }) => answerChecker(body))
  const check = await checking
  let closed = false

  /** Every answer that any test sees is held against the description of the platform. */
  async function call<Body>(
    method: string,
    path: string,
    given?: Omit<Call, 'method'>,
  ): Promise<Answer<Body>> {
    const answer = await send<Body>(url, method, path, given)
    const { status, headers, body } = answer
    check({ method, path, status, contentType: headers.get('content-type'), body })
    return answer
  }

  const platform: TestPlatform = {
    url,
    dataDirectory,
    log: lines,
    call,
    manage: (method, path, body) => call(method, path, { key: ADMIN_KEY, ...(body ? { body } : {}) }),
    async flow(drawing) {
      const { status, text, body } = await platform.manage<Id>('POST', '/api/v1/chatflows', drawFlow(drawing))
      assert.equal(status, 200, text)
      return body.id
    },
    async key(rights = {}) {
      const asked = { keyName: 'a key', ...rights }
      return (await platform.manage<Id & { apiKey: string }>('POST', '/api/v1/apikey', asked)).body
    },
    upload: (flow, files, fields) =>
      call('POST', `/api/v1/vector/upsert/${flow}`, { body: form(files, fields) }),
    query: (flow, body) => platform.manage('POST', `/api/v1/vector/query/${flow}`, body),
    async sql<Row extends object>(statement: string, ...values: (string | number)[]) {
      if (service.address !== undefined) return postgresRows<Row>(service.address, statement, values)
      const connection = new Connection(path.join(dataDirectory, 'sluice.db'))
      try {
        return connection.all(statement, ...values) as Row[]
      } finally {
        connection.close()
      }
    },
    uploads() {
      const folder = path.join(dataDirectory, 'uploads')
      return existsSync(folder) ? readdirSync(folder) : []
    },
    async close() {
      if (closed) return
      closed = true
      await service.close()
    },
  }
  after(async () => {
    await platform.close()
    rmSync(dataDirectory, { recursive: true, force: true })
  })
  return platform
}

/** How many servers share the database in a run with `SLUICE_TEST_DATABASE=postgres`. */
const SERVERS = 2

/** For tests in which one server has more than one other: what one stored and another changed is seen by the third. */
export const MORE_SERVERS = 3

type Service = Pick<Awaited<ReturnType<typeof startPlatform>>, 'url' | 'close'> & {
  /** Of the PostgreSQL database of the server. */
  address?: string
}

/**
 * In a run with `SLUICE_TEST_DATABASE=postgres`: servers over one PostgreSQL database, behind a proxy that gives each request to the
 * next one. The first has the given data directory.
 */
async function onCluster(
  dataDirectory: string,
  start: (directory: string, settings: Record<string, string>) => Promise<Service>,
  servers: number,
): Promise<Service | undefined> {
  if (process.env.SLUICE_TEST_DATABASE !== 'postgres') return undefined
  const { address, drop } = await newPreparedPostgres()
  const shared = {
    DATABASE_URL: address,
    SECRET_KEY: 'the-secret-of-the-test-nodes',
    ...(servers > 1 ? { BLOB_URL: await newBucketUrl() } : {}),
  }
  const members: Service[] = []
  for (let member = 0; member < servers; member++) {
    const directory = member === 0 ? dataDirectory : mkdtempSync(path.join(tmpdir(), 'sluice-node-'))
    if (member > 0) after(() => rmSync(directory, { recursive: true, force: true }))
    members.push(await start(directory, shared))
  }
  if (servers === 1)
    return { url: members[0]!.url, address, close: () => members[0]!.close().finally(() => void drop()) }
  const proxy = await roundRobin(members.map(({ url }) => url.replace('0.0.0.0', '127.0.0.1')))
  return {
    url: proxy.url,
    address,
    async close() {
      await proxy.close()
      await Promise.all(members.map((member) => member.close()))
      await drop()
    },
  }
}

/** A multipart form of files, by name, and text fields. */
export function form(
  files: Record<string, string | Uint8Array<ArrayBuffer>>,
  fields: Record<string, string> = {},
): FormData {
  const data = new FormData()
  for (const [name, content] of Object.entries(files)) data.append('files', new File([content], name))
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  return data
}

async function send<Body>(
  url: string,
  method: string,
  path: string,
  call: Omit<Call, 'method'> = {},
): Promise<Answer<Body>> {
  const { body, key } = call
  const json = typeof body === 'object' && !(body instanceof FormData) && !(body instanceof Uint8Array)
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(json ? { 'content-type': 'application/json' } : {}),
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...call.headers,
    },
    ...(body === undefined ? {} : { body: json ? JSON.stringify(body) : (body as string) }),
  })
  return answerOf(response.status, response.headers, await textOf(response, path))
}

/** The text of an answer. The stream of all jobs has no end: of it only the head is read. */
async function textOf(response: Response, path: string): Promise<string> {
  const isEndless = path.startsWith('/api/v1/jobs/events') && !path.includes('until=') && response.ok
  if (!isEndless) return response.text()
  await response.body?.cancel()
  return ''
}

export function answerOf<Body>(status: number, headers: Headers, text: string): Answer<Body> {
  const isJson = headers.get('content-type')?.startsWith('application/json') && text !== ''
  const answer = { status, headers, text, body: (isJson ? JSON.parse(text) : undefined) as Body }
  if (status >= 400 && text !== '') {
    const { error, jsonrpc } = answer.body as { error?: unknown; jsonrpc?: string }
    // A failure of the Model Context Protocol is a message of JSON-RPC, which the description holds the shape of.
    if (jsonrpc !== undefined) return answer
    if (typeof error === 'object') assertOpenAIError(answer)
    else assertErrorBody(answer)
  }
  return answer
}

/** What OpenAI's clients read of a failure, below `/v1`. */
function assertOpenAIError({ body }: Answer): void {
  const { error } = body as { error: Record<string, unknown> }
  assert.deepEqual(Object.keys(error), ['message', 'type', 'param', 'code'])
  assert.ok(typeof error.message === 'string' && error.message !== '' && !error.message.includes('{'))
}

/** Every failure has this one shape. */
export function assertErrorBody({ status, headers, body, text }: Answer): void {
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
  const {
    statusCode,
    success,
    message,
    stack,
    code,
    error,
    file,
    stage,
    nodeId,
    input,
    hint,
    jobId,
    dependencies: _,
    ...rest
  } = body as Record<string, unknown>
  assert.deepEqual(
    { statusCode, success, stack, rest },
    { statusCode: status, success: false, stack: {}, rest: {} },
  )
  // No fact is missing from the message; a value of a flow may have a variable in it.
  assert.ok(typeof message === 'string' && message !== '' && !/(?<!\{)\{\w+\}/.test(message), text)
  assert.match(String(code), /^[a-z_]+$/)
  for (const optional of [file, stage, nodeId, input, hint, jobId])
    assert.ok(optional === undefined || typeof optional === 'string')
  assert.equal(error, status === 401 ? 'Unauthorized Access' : undefined)
  if (status === 401) assert.match(message, /Unauthorized/)
  assert.doesNotMatch(
    text,
    /\bat .+:\d+:\d+|node_modules|\.ts\b:|sluice-api-/,
    'neither a stack nor a place inside',
  )
}

/** A call, and what its answer is like. */
export type Scenario = Call & {
  name: string
  path: string
  status: number
  /** A part of the body: fields that are not named may be there. */
  expect?: unknown
  contains?: string[]
  absent?: string[]
}

/** A test per scenario, all against one platform. */
export function testScenarios(platform: TestPlatform, scenarios: readonly Scenario[]): void {
  for (const { name, method = 'GET', path, status, expect, contains = [], absent = [], ...call } of scenarios)
    test(name, async () => {
      const answer = await platform.call(method, path, call)
      assert.equal(answer.status, status, answer.text)
      if (expect !== undefined) assert.partialDeepStrictEqual(answer.body, expect)
      for (const text of contains) assert.ok(answer.text.includes(text), `${answer.text} has no ${text}`)
      for (const text of absent) assert.ok(!answer.text.includes(text), `${answer.text} has ${text}`)
    })
}

function remembering(): { log: Log; lines: LogLine[] } {
  const lines: LogLine[] = []
  const write =
    (level: string) =>
    (event: string, facts: LogFacts = {}) =>
      void lines.push({ level, event, facts })
  return {
    log: { error: write('error'), warn: write('warn'), info: write('info'), debug: write('debug') },
    lines,
  }
}
