import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { choir, JSON_TYPE, SEED, start } from '../fixtures/events.ts'

const EVENT_NOT_FOUND = { error: 'Event not found' }
const ENDPOINT_NOT_FOUND = { error: 'Endpoint not found' }
const BAD_JSON = { error: 'Request body is not valid JSON' }
const BAD_DATE = { error: 'Date must be in ISO 8601 format (YYYY-MM-DDTHH:mm:ssZ)' }
const TOO_LARGE = { error: 'Request body is larger than 100 kB' }
const missing = (names: string) => ({ error: `Missing required fields: ${names}` })
const ALL_MISSING = missing('name, date, location')

type Step = {
  /** Method and path. */
  send: `${string} /${string}`
  /** An object is sent as JSON, a text or bytes as they are. */
  body?: object | string | Uint8Array<ArrayBuffer>
  headers?: Record<string, string>
  status: number
  /** The body of the answer; absent where the answer has none. */
  answer?: unknown
}

/** Each scenario meets a service of its own, fresh from its start. */
const SCENARIOS: Record<string, Step[]> = {
  'GET /events lists the five events of the start [events:seed, events:list]': [
    { send: 'GET /events', status: 200, answer: SEED },
  ],
  'GET /events does not look at limit [events:limit-ignored]': [
    { send: 'GET /events?limit=2', status: 200, answer: SEED },
    { send: 'GET /events?limit=0&limit=x&%zz', status: 200, answer: SEED },
  ],
  'POST /events appends the event to the end [events:create, events:list]': [
    { send: 'POST /events', body: { ...choir, id: 'z' }, status: 201, answer: { id: 'z', ...choir } },
    { send: 'POST /events', body: { ...choir, id: 'a' }, status: 201, answer: { id: 'a', ...choir } },
    { send: 'GET /events', status: 200, answer: [...SEED, { id: 'z', ...choir }, { id: 'a', ...choir }] },
  ],
  'POST /events takes a truthy body id, also an odd one [events:create:id-from-body]': [
    { send: 'POST /events', body: { ...choir, id: 'a/b ü' }, status: 201, answer: { id: 'a/b ü', ...choir } },
    { send: 'GET /events/a%2Fb%20%C3%BC', status: 200, answer: { id: 'a/b ü', ...choir } },
    { send: 'POST /events', body: { ...choir, id: 'x/' }, status: 201, answer: { id: 'x/', ...choir } },
    { send: 'GET /events/x%2F', status: 200, answer: { id: 'x/', ...choir } },
    { send: 'GET /events/x', status: 404, answer: EVENT_NOT_FOUND },
    { send: 'GET /events/__proto__', status: 404, answer: EVENT_NOT_FOUND },
    {
      send: 'POST /events',
      body: { ...choir, id: '__proto__' },
      status: 201,
      answer: { id: '__proto__', ...choir },
    },
    { send: 'GET /events/__proto__', status: 200, answer: { id: '__proto__', ...choir } },
    { send: 'DELETE /events/__proto__', status: 204 },
  ],
  'POST /events stores a numeric id as its decimal text [events:wrong-type]': [
    { send: 'POST /events', body: { ...choir, id: 42 }, status: 201, answer: { id: '42', ...choir } },
    { send: 'GET /events/42', status: 200, answer: { id: '42', ...choir } },
  ],
  'POST /events takes an id that is there already; look-ups meet the first [events:create:duplicate-id]': [
    { send: 'POST /events', body: { ...choir, id: '2' }, status: 201, answer: { id: '2', ...choir } },
    { send: 'GET /events', status: 200, answer: [...SEED, { id: '2', ...choir }] },
    { send: 'GET /events/2', status: 200, answer: SEED[1] },
    { send: 'DELETE /events/2', status: 204 },
    { send: 'GET /events/2', status: 200, answer: { id: '2', ...choir } },
    { send: 'DELETE /events/2', status: 204 },
    { send: 'GET /events/2', status: 404, answer: EVENT_NOT_FOUND },
  ],
  'POST /events does not store other fields [events:create:extra-fields]': [
    {
      send: 'POST /events',
      body: { ...choir, id: 'x', price: 9, tags: ['a'] },
      status: 201,
      answer: { id: 'x', ...choir },
    },
    { send: 'GET /events/x', status: 200, answer: { id: 'x', ...choir } },
    { send: 'PATCH /events/x', body: { ...choir, price: 9 }, status: 200, answer: { id: 'x', ...choir } },
  ],
  'GET /events/{id} compares ids as exact texts [events:get]': [
    { send: 'GET /events/1', status: 200, answer: SEED[0] },
    { send: 'GET /events/01', status: 404, answer: EVENT_NOT_FOUND },
    { send: 'GET /events/1%20', status: 404, answer: EVENT_NOT_FOUND },
    { send: 'GET /events/1.0', status: 404, answer: EVENT_NOT_FOUND },
    { send: `GET /events/${'x'.repeat(8000)}`, status: 404, answer: EVENT_NOT_FOUND },
  ],
  'PATCH /events/{id} replaces all three fields, keeps id and place [events:patch]': [
    { send: 'PATCH /events/2', body: { ...choir, id: '9' }, status: 200, answer: { id: '2', ...choir } },
    { send: 'GET /events', status: 200, answer: [SEED[0], { id: '2', ...choir }, ...SEED.slice(2)] },
    { send: 'PATCH /events/2', body: { name: 'Band' }, status: 400, answer: missing('date, location') },
    { send: 'GET /events/2', status: 200, answer: { id: '2', ...choir } },
  ],
  'PATCH /events/{id} answers 404 for an unknown id before it looks at the body [events:patch:404-before-400]':
    [
      { send: 'PATCH /events/9', body: {}, status: 404, answer: EVENT_NOT_FOUND },
      { send: 'PATCH /events/9', body: { ...choir, date: 'soon' }, status: 404, answer: EVENT_NOT_FOUND },
      { send: 'PATCH /events/9', status: 404, answer: EVENT_NOT_FOUND },
    ],
  'DELETE /events/{id} answers 204 without a body [events:delete]': [
    { send: 'DELETE /events/3', status: 204 },
    { send: 'DELETE /events/4', headers: JSON_TYPE, status: 204 },
    { send: 'GET /events', status: 200, answer: [SEED[0], SEED[1], SEED[4]] },
    { send: 'DELETE /events/3', status: 404, answer: EVENT_NOT_FOUND },
  ],
  'POST and PATCH name just the missing fields, in order [events:missing-fields]': [
    { send: 'POST /events', body: {}, status: 400, answer: ALL_MISSING },
    { send: 'POST /events', body: { location: 'Bern' }, status: 400, answer: missing('name, date') },
    { send: 'POST /events', body: { date: choir.date }, status: 400, answer: missing('name, location') },
    {
      send: 'PATCH /events/1',
      body: { location: 'Bern', name: 'Choir' },
      status: 400,
      answer: missing('date'),
    },
    { send: 'GET /events', status: 200, answer: SEED },
  ],
  'POST and PATCH count falsy values as missing [events:missing-falsy]': [
    { send: 'POST /events', body: { name: '', date: null, location: 0 }, status: 400, answer: ALL_MISSING },
    { send: 'PATCH /events/1', body: { ...choir, name: false }, status: 400, answer: missing('name') },
  ],
  'POST and PATCH take dates of the ISO form only [events:date]': [
    {
      send: 'POST /events',
      body: { ...choir, id: 'a', date: '2025-01-01T10:00:00' },
      status: 201,
      answer: { ...choir, id: 'a', date: '2025-01-01T10:00:00' },
    },
    {
      send: 'POST /events',
      body: { ...choir, id: 'b', date: '2025-01-01T10:00:00.25Z' },
      status: 201,
      answer: { ...choir, id: 'b', date: '2025-01-01T10:00:00.25Z' },
    },
    { send: 'POST /events', body: { ...choir, date: '2025-01-01' }, status: 400, answer: BAD_DATE },
    {
      send: 'POST /events',
      body: { ...choir, date: '2025-01-01T10:00:00+01:00' },
      status: 400,
      answer: BAD_DATE,
    },
    { send: 'PATCH /events/1', body: { ...choir, date: 'soon' }, status: 400, answer: BAD_DATE },
  ],
  'POST /events names missing fields before an invalid date, in one message [events:missing-before-date]': [
    { send: 'POST /events', body: { date: 'soon', name: 'Choir' }, status: 400, answer: missing('location') },
    { send: 'PATCH /events/1', body: { date: 'soon' }, status: 400, answer: missing('name, location') },
  ],
  'POST and PATCH name a field that is no text, and look at the date before [events:wrong-type]': [
    {
      send: 'POST /events',
      body: { ...choir, name: 7 },
      status: 400,
      answer: { error: 'Fields must be strings: name' },
    },
    {
      send: 'PATCH /events/1',
      body: { ...choir, location: ['Bern'] },
      status: 400,
      answer: { error: 'Fields must be strings: location' },
    },
    {
      send: 'POST /events',
      body: { ...choir, date: 20250101, location: 7 },
      status: 400,
      answer: { error: 'Date must be in ISO 8601 format (YYYY-MM-DDTHH:mm:ssZ)' },
    },
  ],
  'GET, PATCH and DELETE of an unknown id answer 404 [events:not-found]': [
    { send: 'GET /events/9', status: 404, answer: EVENT_NOT_FOUND },
    { send: 'PATCH /events/9', body: choir, status: 404, answer: EVENT_NOT_FOUND },
    { send: 'DELETE /events/9', status: 404, answer: EVENT_NOT_FOUND },
  ],
  'a request that matches no route answers 404, PUT included [events:unknown-route]': [
    { send: 'PUT /events', body: choir, status: 404, answer: ENDPOINT_NOT_FOUND },
    { send: 'PUT /events/1', body: choir, status: 404, answer: ENDPOINT_NOT_FOUND },
    {
      send: 'PUT /events/1',
      body: '{}',
      headers: { 'content-type': '?' },
      status: 404,
      answer: ENDPOINT_NOT_FOUND,
    },
    { send: 'POST /events/1', body: choir, status: 404, answer: ENDPOINT_NOT_FOUND },
    { send: 'DELETE /events', status: 404, answer: ENDPOINT_NOT_FOUND },
    { send: 'PROPFIND /events', status: 404, answer: ENDPOINT_NOT_FOUND },
    { send: 'QUERY /events', status: 404, answer: ENDPOINT_NOT_FOUND },
    { send: 'GET /', status: 404, answer: ENDPOINT_NOT_FOUND },
    { send: 'GET /events/1/more', status: 404, answer: ENDPOINT_NOT_FOUND },
    { send: 'GET //events', status: 404, answer: ENDPOINT_NOT_FOUND },
    { send: 'GET /events/%zz', status: 404, answer: ENDPOINT_NOT_FOUND },
    { send: 'GET /events/%ff', status: 404, answer: ENDPOINT_NOT_FOUND },
    { send: 'GET /%c3%28', status: 404, answer: ENDPOINT_NOT_FOUND },
    { send: `GET /${'x'.repeat(8000)}`, status: 404, answer: ENDPOINT_NOT_FOUND },
    { send: 'GET /nowhere', headers: { 'accept-version': '2' }, status: 404, answer: ENDPOINT_NOT_FOUND },
  ],
  'a body that is not valid JSON answers 400 before everything else [events:bad-json]': [
    { send: 'POST /events', body: '{"name":', headers: JSON_TYPE, status: 400, answer: BAD_JSON },
    { send: 'PATCH /events/1', body: 'choir', headers: JSON_TYPE, status: 400, answer: BAD_JSON },
    { send: 'PATCH /events/9', body: '{', headers: JSON_TYPE, status: 400, answer: BAD_JSON },
    { send: 'PUT /events', body: '{', headers: JSON_TYPE, status: 400, answer: BAD_JSON },
    {
      send: 'POST /events',
      body: gzipSync(JSON.stringify(choir)),
      headers: { ...JSON_TYPE, 'content-encoding': 'gzip' },
      status: 400,
      answer: BAD_JSON,
    },
  ],
  'a body that is absent, no object or of another type counts as all fields missing [events:bad-json]': [
    { send: 'POST /events', status: 400, answer: ALL_MISSING },
    { send: 'POST /events', body: '', headers: JSON_TYPE, status: 400, answer: ALL_MISSING },
    { send: 'POST /events', body: [choir], status: 400, answer: ALL_MISSING },
    { send: 'POST /events', body: 'null', headers: JSON_TYPE, status: 400, answer: ALL_MISSING },
    {
      send: 'POST /events',
      body: JSON.stringify(choir),
      headers: { 'content-type': 'text/plain' },
      status: 400,
      answer: ALL_MISSING,
    },
    {
      send: 'PATCH /events/1',
      body: JSON.stringify(choir),
      headers: { 'content-type': 'no type at all' },
      status: 400,
      answer: ALL_MISSING,
    },
    {
      send: 'PATCH /events/9',
      body: JSON.stringify(choir),
      headers: { 'content-type': '?' },
      status: 404,
      answer: EVENT_NOT_FOUND,
    },
    {
      send: 'PATCH /events/1',
      body: JSON.stringify(choir),
      headers: { 'content-type': 'Application/JSON; charset=utf-8' },
      status: 200,
      answer: { id: '1', ...choir },
    },
  ],
  'a trailing slash is the same route [events:bad-json]': [
    { send: 'GET /events/', status: 200, answer: SEED },
    { send: 'GET /events/1/', status: 200, answer: SEED[0] },
    { send: 'POST /events/', body: { ...choir, id: 'x' }, status: 201, answer: { id: 'x', ...choir } },
    { send: 'PATCH /events/x/', body: choir, status: 200, answer: { id: 'x', ...choir } },
    { send: 'DELETE /events/x/', status: 204 },
  ],
  'OPTIONS is an unknown route [events:bad-json, events:unknown-route]': [
    { send: 'OPTIONS /events', status: 404, answer: ENDPOINT_NOT_FOUND },
    { send: 'OPTIONS /events/1', status: 404, answer: ENDPOINT_NOT_FOUND },
  ],
  'a body over 100 kB answers 413 however it is sent [events:too-large]': [
    { send: 'POST /events', body: { ...choir, name: 'x'.repeat(100_000) }, status: 413, answer: TOO_LARGE },
    { send: 'POST /events', body: { ...choir, name: 'x'.repeat(8_000_000) }, status: 413, answer: TOO_LARGE },
    {
      send: 'PATCH /events/9',
      body: { ...choir, name: 'x'.repeat(200_000) },
      status: 413,
      answer: TOO_LARGE,
    },
    {
      send: 'POST /events',
      body: 'x'.repeat(200_000),
      headers: { 'content-type': 'text/plain' },
      status: 413,
      answer: TOO_LARGE,
    },
    { send: 'GET /events', status: 200, answer: SEED },
  ],
}

for (const [title, steps] of Object.entries(SCENARIOS)) {
  test(title, async (t) => {
    const url = await start(t)
    for (const { send, body, headers = {}, status, answer } of steps) {
      const [method, path] = send.split(' ') as [string, string]
      const asJson = typeof body === 'object' && !(body instanceof Uint8Array)
      const response = await fetch(url + path, {
        method,
        headers: asJson ? { ...JSON_TYPE, ...headers } : headers,
        ...(body === undefined
          ? {}
          : { body: asJson ? JSON.stringify(body) : (body as string | Uint8Array<ArrayBuffer>) }),
      })
      const text = await response.text()
      assert.equal(response.status, status, `${send.slice(0, 80)} answered ${text}`)
      if (answer === undefined) {
        assert.equal(text, '')
        continue
      }
      assert.match(response.headers.get('content-type')!, /^application\/json/)
      assert.deepEqual(JSON.parse(text), answer, send)
    }
  })
}

test('POST /events makes a UUID where the body has no truthy id [events:create:id-from-body]', async (t) => {
  const url = await start(t)
  const seen = new Set<string>()
  for (const id of [undefined, null, '', 0, false]) {
    const response = await fetch(`${url}/events`, {
      method: 'POST',
      headers: JSON_TYPE,
      body: JSON.stringify({ ...choir, id }),
    })
    assert.equal(response.status, 201)
    const event = (await response.json()) as { id: string }
    assert.match(event.id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.deepEqual(event, { id: event.id, ...choir })
    assert.deepEqual(await (await fetch(`${url}/events/${event.id}`)).json(), event)
    seen.add(event.id)
  }
  assert.equal(seen.size, 5)
})

test('HEAD answers the status and headers of GET, and no body [events:bad-json]', async (t) => {
  const url = await start(t)
  for (const path of ['/events', '/events/', '/events/1', '/events/9', '/nowhere']) {
    const [head, get] = await Promise.all([fetch(url + path, { method: 'HEAD' }), fetch(url + path)])
    assert.equal(head.status, get.status)
    assert.equal(head.headers.get('content-type'), get.headers.get('content-type'))
    assert.equal(head.headers.get('content-length'), get.headers.get('content-length'))
    assert.equal(await head.text(), '')
    assert.notEqual(await get.text(), '')
  }
})
